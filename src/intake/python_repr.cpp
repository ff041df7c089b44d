#include "intake/python_repr.h"

#include <array>
#include <cctype>
#include <utility>

namespace explog::intake {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> words = {{{"None", "null"},
                                                                                 {"True", "true"},
                                                                                 {"False", "false"},
                                                                                 {"nan", "null"},
                                                                                 {"inf", "null"},
                                                                                 {"NaN", "null"},
                                                                                 {"Infinity", "null"}}};

// Copies the string that starts at repr[at] and returns the place behind it.
size_t copy_string(std::string_view repr, size_t at, std::string& json) {
  char quote = repr[at++];
  json += '"';
  for (; at < repr.size() && repr[at] != quote; ++at) {
    bool escaped = repr[at] == '\\' && at + 1 < repr.size();
    if (escaped && repr[at + 1] == '\'') {
      json += repr[++at];
    } else if (escaped) {
      json += repr[at];
      json += repr[++at];
    } else if (repr[at] == '"') {
      json += "\\\"";
    } else {
      json += repr[at];
    }
  }
  json += '"';
  return at + 1;
}

// Copies a bare word or number.
size_t copy_word(std::string_view repr, size_t at, std::string& json) {
  size_t end = at;
  while (end < repr.size() && std::isalpha(static_cast<unsigned char>(repr[end])) != 0) ++end;
  std::string_view word = repr.substr(at, end - at);
  for (const auto& [python, instead] : words) {
    if (word == python) word = instead;
  }
  if (word == "null" && json.ends_with('-')) json.pop_back();  // -inf
  json += word;
  return end;
}

// Python allows a comma behind the last element of a list, JSON does not.
void drop_last_comma(std::string& json) {
  size_t end = json.find_last_not_of(" \t\r\n");
  if (end != std::string::npos && json[end] == ',') json.resize(end);
}

}  // namespace

std::string python_to_json(std::string_view repr) {
  std::string json;
  for (size_t at = 0; at < repr.size();) {
    if (repr[at] == '\'' || repr[at] == '"') {
      at = copy_string(repr, at, json);
    } else if (std::isalpha(static_cast<unsigned char>(repr[at])) != 0) {
      at = copy_word(repr, at, json);
    } else {
      char c = repr[at++];
      if (c == ')' || c == ']' || c == '}') drop_last_comma(json);
      json += c == '(' ? '[' : c == ')' ? ']' : c;  // a tuple
    }
  }
  return json;
}

}  // namespace explog::intake
