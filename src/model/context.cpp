#include "model/context.h"

namespace explog {
namespace {

// End of the literal that starts at code[i] with its quote.
size_t skip_literal(const std::string& code, size_t i) {
  char quote = code[i];
  for (++i; i < code.size() && code[i] != quote && code[i] != '\n'; ++i) {
    if (code[i] == '\\') ++i;
  }
  return i;
}

}  // namespace

std::string without_comments(const std::string& code) {
  std::string out = code;
  auto blank = [&](size_t from, size_t to) {
    for (size_t k = from; k < to && k < out.size(); ++k) {
      if (out[k] != '\n') out[k] = ' ';
    }
  };
  for (size_t i = 0; i < code.size(); ++i) {
    bool line = code.compare(i, 2, "//") == 0;
    // A '#' comments in Python; in CUDA it starts a directive, which follows only blanks on its line and a
    // letter.
    bool python = code[i] == '#' && (i + 1 >= code.size() || code[i + 1] == ' ' || code[i + 1] == '#');
    if (code[i] == '"' || code[i] == '\'') {
      i = skip_literal(code, i);
    } else if (line || python) {
      size_t end = std::min(code.find('\n', i), code.size());
      blank(i, end);
      i = end;
    } else if (code.compare(i, 2, "/*") == 0) {
      size_t end = code.find("*/", i + 2);
      end = end == std::string::npos ? code.size() : end + 2;
      blank(i, end);
      i = end - 1;
    }
  }
  return out;
}

}  // namespace explog
