// What every JSON answer has in common.
#pragma once
#include <string>
#include <string_view>

#include "model/json.h"

namespace explog::answers {

// Counted up when a key changes its meaning or goes; new keys may come at any time.
constexpr int answer_format = 1;

// Begins an object whose first key is the number of its format.
inline void begin_answer(JsonWriter& json, int format = answer_format) {
  json.begin_object();
  json.field("format", format);
}

// A list that is too long to hold is printed as it comes between these two.
inline std::string list_opening(std::string_view key) {
  return "{\"format\":" + std::to_string(answer_format) + ",\"" + std::string(key) + "\":[";
}
constexpr const char* list_closing = "]}\n";

}  // namespace explog::answers
