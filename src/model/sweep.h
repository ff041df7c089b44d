// A kernel whose shape is chosen by macros, and the space of their values: sweep.json beside task.json.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "model/space.h"

namespace explog {

constexpr int sweep_format = 1;  // of sweep.json

struct Sweep {
  std::string file;  // beside sweep.json; its ending tells the backend
  Space space;       // the macros of the file, whose values are whole numbers
};

// Reads sweep.json. Throws JsonError naming the key: unknown keys, names or values that occur twice, more
// than 2^20 combinations.
Sweep parse_sweep(std::string_view json);
std::string to_json(const Sweep& sweep);  // parse_sweep(to_json(s)) gives s again

// Those of its space. Throws Error(usage) naming the file and the condition that is wrong.
std::vector<Configuration> configurations(const Sweep& sweep);

}  // namespace explog
