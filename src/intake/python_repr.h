// Python's printed dictionaries, and the JSON that Python writes with NaN and Infinity in it, as JSON text.
#pragma once
#include <string>
#include <string_view>

namespace explog::intake {

// Rewrites quotes and the words None, True, False, nan, inf, NaN, Infinity; anything else is left for the JSON parser to
// judge.
std::string python_to_json(std::string_view repr);

}  // namespace explog::intake
