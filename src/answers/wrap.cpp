#include "answers/wrap.h"

#include "base/text.h"

namespace explog::answers {

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  for (std::string_view word : split(text, ' ')) {
    if (word.empty()) continue;
    bool fits = !lines.empty() && display_width(lines.back()) + 1 + display_width(word) <= width;
    if (fits) {
      lines.back() += " " + std::string(word);
    } else {
      lines.emplace_back(word);
    }
  }
  return lines;
}

}  // namespace explog::answers
