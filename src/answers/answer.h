// What every JSON answer has in common.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "model/json.h"

namespace explog::answers {

// Counted up when a key changes its meaning or goes; new keys may come at any time.
constexpr int answer_format = 1;

// Begins an object whose first key is the number of its format.
inline void begin_answer(JsonWriter& json, int format = answer_format) {
  json.begin_object();
  json.field("format", format);
}

// An answer of a few texts.
inline std::string answer_of(std::initializer_list<std::pair<std::string_view, std::string_view>> texts) {
  JsonWriter json;
  begin_answer(json);
  for (const auto& [name, text] : texts) json.field(name, text);
  json.end_object();
  return json.take() + "\n";
}

// A list that is too long to hold is printed as it comes between these two.
inline std::string list_opening(std::string_view key) {
  return "{\"format\":" + std::to_string(answer_format) + ",\"" + std::string(key) + "\":[";
}
constexpr const char* list_closing = "]}\n";

}  // namespace explog::answers
