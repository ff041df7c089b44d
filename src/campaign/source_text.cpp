#include "campaign/source_text.h"

#include <algorithm>
#include <cctype>

namespace explog::campaign {
namespace {

bool part_of_a_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Where what begins at `at` ends: a comment or a quoted text; `at` itself where neither begins.
std::size_t end_of_prose(std::string_view s, std::size_t at) {
  auto behind = [&](std::string_view end, std::size_t from) {
    std::size_t found = s.find(end, from);
    return found == std::string_view::npos ? s.size() : found + end.size();
  };
  if (s.substr(at, 2) == "//") return std::min(s.size(), s.find('\n', at));
  if (s.substr(at, 2) == "/*") return behind("*/", at + 2);
  const bool separator = s[at] == '\'' && at > 0 && part_of_a_name(s[at - 1]);  // 1'000
  if ((s[at] != '"' && s[at] != '\'') || separator) return at;
  std::size_t end = at + 1;
  while (end < s.size() && s[end] != s[at] && s[end] != '\n') end += s[end] == '\\' ? 2 : 1;
  return std::min(s.size(), end + 1);
}

}  // namespace

std::string code_only(std::string_view source) {
  std::string code(source);
  for (std::size_t at = 0; at < source.size();) {
    std::size_t end = end_of_prose(source, at);
    for (std::size_t i = at; i < end; ++i) {
      if (code[i] != '\n') code[i] = ' ';
    }
    at = std::max(end, at + 1);
  }
  return code;
}

std::vector<std::size_t> places_of(std::string_view code, std::string_view word) {
  std::vector<std::size_t> places;
  for (std::size_t at = 0; (at = code.find(word, at)) != std::string_view::npos; at += word.size()) {
    bool begins = at == 0 || !part_of_a_name(code[at - 1]);
    bool ends = at + word.size() == code.size() || !part_of_a_name(code[at + word.size()]);
    if (begins && ends) places.push_back(at);
  }
  return places;
}

std::size_t behind_bracket(std::string_view code, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < code.size(); ++at) {
    if (code[at] == '(' || code[at] == '[' || code[at] == '{') ++depth;
    if (code[at] == ')' || code[at] == ']' || code[at] == '}') --depth;
    if (depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

std::size_t next_sign(std::string_view code, std::size_t at) {
  while (at < code.size() && std::isspace(static_cast<unsigned char>(code[at]))) ++at;
  return at;
}

std::string_view name_at(std::string_view code, std::size_t at) {
  std::size_t end = at;
  while (end < code.size() && part_of_a_name(code[end])) ++end;
  return at < code.size() ? code.substr(at, end - at) : "";
}

std::string edited(std::string_view source, std::vector<Insertion> insertions) {
  std::sort(insertions.begin(), insertions.end(),
            [](const Insertion& a, const Insertion& b) { return a.at < b.at; });
  std::string text;
  std::size_t done = 0;
  for (const Insertion& i : insertions) {
    text += std::string(source.substr(done, i.at - done)) + i.text;
    done = i.at + i.removed;
  }
  return text + std::string(source.substr(done));
}

}  // namespace explog::campaign
