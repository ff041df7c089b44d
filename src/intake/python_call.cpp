#include "intake/python_call.h"

#include <cctype>

#include "base/text.h"
#include "intake/python_repr.h"

namespace explog::intake {
namespace {

// Whether characters are inside of a text or of brackets, one character after the other.
class Nesting {
 public:
  // True for a character that is a part of no text.
  bool take(char c) {
    if (quote_ != 0) {
      bool ends = c == quote_ && !escaped_;
      escaped_ = c == '\\' && !escaped_;
      if (ends) quote_ = 0;
      return false;
    }
    if (c == '\'' || c == '"') return quote_ = c, false;
    if (c == '(' || c == '[' || c == '{') ++depth_;
    if (c == ')' || c == ']' || c == '}') --depth_;
    return true;
  }
  int depth() const { return depth_; }

 private:
  char quote_ = 0;
  bool escaped_ = false;
  int depth_ = 0;
};

bool is_identifier(std::string_view text) {
  bool word = !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0;
  for (char c : text) word &= std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  return word;
}

// The "=" between a name and a value; npos for a positional argument.
std::size_t equals_in(std::string_view argument) {
  std::size_t at = argument.find('=');
  return at != std::string_view::npos && is_identifier(trim(argument.substr(0, at))) ? at
                                                                                     : std::string_view::npos;
}

void add_argument(PythonCall& call, std::string_view argument) {
  if (argument.empty()) return;
  std::size_t at = equals_in(argument);
  if (at == std::string_view::npos) return call.positional.push_back(parse_json(python_to_json(argument)));
  std::string name(trim(argument.substr(0, at)));
  if (call.named.contains(name)) bad("'" + name + "' is set twice");
  call.named[name] = parse_json(python_to_json(trim(argument.substr(at + 1))));
}

// The place behind the parenthesis that closes the one at `open`; npos where none does.
std::size_t end_of_call(std::string_view source, std::size_t open) {
  constexpr std::size_t longest = 64 << 10;
  Nesting nesting;
  for (std::size_t i = open; i < source.size() && i - open < longest; ++i) {
    if (nesting.take(source[i]) && nesting.depth() == 0) return i + 1;
  }
  return std::string_view::npos;
}

}  // namespace

PythonCall parse_python_call(std::string_view text) {
  std::size_t open = text.find('('), close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    bad("expected NAME(...), got '" + ellipsis(printable(text), 60) + "'");
  PythonCall call;
  call.named = Json::object();
  Nesting nesting;
  std::size_t from = open + 1;
  for (std::size_t i = from; i < close; ++i) {
    if (!nesting.take(text[i]) || text[i] != ',' || nesting.depth() > 0) continue;
    add_argument(call, trim(text.substr(from, i - from)));
    from = i + 1;
  }
  add_argument(call, trim(text.substr(from, close - from)));
  return call;
}

std::vector<std::string_view> python_calls(std::string_view source, std::string_view name) {
  std::vector<std::string_view> calls;
  std::string opening = std::string(name) + "(";
  for (std::size_t at = source.find(opening); at != std::string_view::npos;) {
    bool whole = at == 0 || (std::isalnum(static_cast<unsigned char>(source[at - 1])) == 0 &&
                             source[at - 1] != '_' && source[at - 1] != '.');
    std::size_t end = whole ? end_of_call(source, at + name.size()) : std::string_view::npos;
    if (end != std::string_view::npos) calls.push_back(source.substr(at, end - at));
    at = source.find(opening, end != std::string_view::npos ? end : at + 1);
  }
  return calls;
}

}  // namespace explog::intake
