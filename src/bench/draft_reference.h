// What a reference in Python tells about the task that is drafted for it: it is run with small dimensions.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "model/task.h"

namespace explog::bench {

struct ReferenceFacts {
  std::vector<std::string> roles;                // of each pointer, in order: in, out, inout
  std::vector<std::vector<std::string>> shapes;  // the same
  std::vector<std::string> limits;               // "D % H == 0"
  std::vector<std::string> distributions;        // whose results are finite
  std::string reduction, flops;                  // expressions
};

// `arguments` have their roles from solve(): in where it may not write, else out; `counts` their elements at these dimensions,
// 0 where that is not known. Throws Error when there is no interpreter,
// or when the reference works with no shapes made of the dimensions: its own words, of the likeliest shapes.
ReferenceFacts probe_reference(const std::string& file, const std::string& text,
                               const std::vector<Argument>& arguments, const Dims& dims,
                               const std::vector<std::int64_t>& counts);

// Hidden shapes changed so that they keep limits of the form "a % b == 0".
std::vector<Dims> within_limits(std::vector<Dims> hidden, const std::vector<std::string>& limits);

}  // namespace explog::bench
