#include "answers/terminal.h"

#include "base/text.h"

namespace explog::answers {

void Terminal::print(const Lines& lines, std::ostream& to) const {
  for (const Line& line : lines) {
    for (const auto& [text, style] : line.spans) {
      std::string harmless = printable(text, style != Style::prose);
      to << (style == Style::bold ? bold(harmless) : style == Style::dim ? dim(harmless) : harmless);
    }
    to << '\n';
  }
}

void Terminal::warn(const Warning& warning) const {
  if (json) {
    err << warning_json(warning) << '\n';
    return;
  }
  err << "explog: " << printable(warning.message) << '\n';
  if (!warning.hint.empty()) err << "  hint: " << printable(warning.hint) << '\n';
}

}  // namespace explog::answers
