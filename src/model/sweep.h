// A space of configurations of one kernel whose shape is chosen by macros: sweep.json beside task.json.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace explog {

constexpr int sweep_format = 1;  // of sweep.json

// A macro of the kernel and the values it may have. 0 and 1 alone make it a flag.
struct SweepParameter {
  std::string name;
  std::vector<std::int64_t> values;
};

struct Sweep {
  std::string file;  // beside sweep.json; its ending tells the backend
  std::vector<SweepParameter> parameters;
  std::vector<std::string> where;  // SQL expressions over the parameters; all must hold
};

// Reads sweep.json. Throws JsonError naming the key: unknown keys, names or values that occur twice, more
// than 2^20 combinations.
Sweep parse_sweep(std::string_view json);
std::string to_json(const Sweep& sweep);  // parse_sweep(to_json(s)) gives s again

}  // namespace explog
