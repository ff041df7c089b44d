#include "model/recipe.h"

#include "base/text.h"

namespace explog {
namespace {

std::string_view section(std::string_view prose, std::string_view heading) {
  std::string line = "## " + std::string(heading) + "\n";
  std::size_t at = prose.find(line);
  if (at == std::string_view::npos) return {};
  prose.remove_prefix(at + line.size());
  return trim(prose.substr(0, prose.find("\n## ")));
}

// Lines of a paragraph as one; `ends` says which line is of the next.
template <class Ends>
std::string joined(std::string_view text, Ends ends) {
  std::string line;
  for (std::string_view part : split(text, '\n')) {
    part = trim(part);
    if (!line.empty() && ends(part)) break;
    if (!line.empty()) line += ' ';
    line += part;
  }
  return line;
}

bool numbered(std::string_view line) {
  std::size_t digits = line.find_first_not_of("0123456789");
  return digits != 0 && digits != std::string_view::npos && line.substr(digits, 2) == ". ";
}

}  // namespace

std::string shortened(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = std::string::npos;
  for (std::size_t at = text.find(". "); at != std::string::npos && at < most; at = text.find(". ", at + 1))
    end = at + 1;
  if (end != std::string::npos && end >= most / 3) return text.substr(0, end);
  end = text.rfind(' ', most - 3);
  return std::string(trim(text.substr(0, end == std::string::npos ? most - 3 : end))) + "...";
}

std::string first_step(std::string_view prose, std::size_t most) {
  std::string step = joined(section(prose, "Steps"), numbered);
  if (numbered(step)) step.erase(0, step.find(". ") + 2);
  return shortened(std::move(step), most);
}

std::string falsifier(std::string_view prose, std::size_t most) {
  return shortened(
      joined(section(prose, "Falsify cheaply"), [](std::string_view line) { return line.empty(); }), most);
}

}  // namespace explog
