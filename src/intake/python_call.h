// Calls as Python's sources and logs have them, "Config({'BLOCK': 64}, num_warps=4)", as JSON. Nothing is evaluated.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "model/json.h"

namespace explog::intake {

struct PythonCall {
  std::vector<Json> positional;
  Json named;  // an object
};

// The arguments of the text of one call. Throws JsonError for what is no literal, such as a variable.
PythonCall parse_python_call(std::string_view call);

// The texts of all calls of `name` in a source, each to its closing parenthesis; what never closes is none.
std::vector<std::string_view> python_calls(std::string_view source, std::string_view name);

}  // namespace explog::intake
