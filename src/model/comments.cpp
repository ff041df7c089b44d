#include "model/comments.h"

#include <algorithm>

namespace explog {
namespace {

// Where the literal ends that starts at code[i] with its quote: at the closing quote or with the line.
size_t end_of_literal(std::string_view code, size_t i) {
  char quote = code[i];
  for (++i; i < code.size() && code[i] != quote && code[i] != '\n'; ++i) {
    if (code[i] == '\\') ++i;
  }
  return std::min(i, code.size());
}

// Behind the comment that starts at code[i]; i itself where none does.
size_t end_of_comment(std::string_view code, size_t i, bool python_comments) {
  bool line = code.substr(i, 2) == "//";
  // A '#' comments in Python; in CUDA it starts a directive, which follows only blanks on its line and a
  // letter.
  bool python =
      python_comments && code[i] == '#' && (i + 1 >= code.size() || code[i + 1] == ' ' || code[i + 1] == '#');
  if (line || python) return std::min(code.find('\n', i), code.size());
  if (code.substr(i, 2) != "/*") return i;
  size_t end = code.find("*/", i + 2);
  return end == std::string_view::npos ? code.size() : end + 2;
}

// The same of Python, where a text in three quotes that is no value is a remark; both are taken as one.
size_t end_of_python_remark(std::string_view code, size_t i) {
  if (code[i] == '#') return std::min(code.find('\n', i), code.size());
  std::string_view quotes = code.substr(i, 3);
  if (quotes != "\"\"\"" && quotes != "'''") return i;
  size_t end = code.find(quotes, i + 3);
  return end == std::string_view::npos ? code.size() : end + 3;
}

void blank(std::string& text, size_t from, size_t to) {
  std::replace_if(
      text.begin() + static_cast<std::ptrdiff_t>(from), text.begin() + static_cast<std::ptrdiff_t>(to),
      [](char c) { return c != '\n'; }, ' ');
}

}  // namespace

std::string without_comments(std::string_view code, Blanking blanking) {
  std::string out(code);
  for (size_t i = 0; i < code.size();) {
    size_t remark = blanking.python ? end_of_python_remark(code, i) : i;
    if (remark > i) {
      blank(out, i, remark);
      i = remark;
    } else if (code[i] == '"' || code[i] == '\'') {
      size_t end = end_of_literal(code, i);
      if (blanking.literals && code.substr(i, 3) != "\"C\"") blank(out, i + 1, end);
      i = end + 1;
    } else if (size_t end = blanking.python ? i : end_of_comment(code, i, blanking.python_comments);
               end > i) {
      blank(out, i, end);
      i = end;
    } else {
      ++i;
    }
  }
  return out;
}

}  // namespace explog
