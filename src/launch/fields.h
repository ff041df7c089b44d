// Fields of the small files of a plan, each refused by name.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/json.h"

namespace explog::launch {

inline std::string text_in(const Json& object, const char* key, const std::string& where) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_string())
    bad(where + ": " + key + ": expected text");
  return object[key].get<std::string>();
}

inline double number_in(const Json& object, const char* key, const std::string& where) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_number())
    bad(where + ": " + key + ": expected a number");
  return object[key].get<double>();
}

// None where the key is missing.
inline std::vector<std::string> texts_in(const Json& object, const char* key, const std::string& where) {
  std::vector<std::string> texts;
  if (!object.is_object()) bad(where + ": expected an object");
  if (!object.contains(key)) return texts;
  if (!object[key].is_array()) bad(where + ": " + key + ": expected a list of text");
  for (const Json& each : object[key]) {
    if (!each.is_string()) bad(where + ": " + key + ": expected text");
    texts.push_back(each.get<std::string>());
  }
  return texts;
}

}  // namespace explog::launch
