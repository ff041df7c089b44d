// The configurations of a sweep, and the kernel's source under one of them.
#pragma once
#include <string>
#include <vector>

#include "bench/toolchain.h"
#include "model/sweep.h"
#include "model/task.h"

namespace explog::bench {

using Settings = Dims;  // a value for each parameter, in the order of the sweep

// Every combination of the values for which all conditions hold, the last parameter changing fastest. SQLite
// evaluates the conditions. Throws Error(usage) naming the condition that cannot be evaluated, or when none
// is left.
std::vector<Settings> configurations(const Sweep& sweep);

std::string settings_text(const Settings& settings);  // "BLOCK_X=32,BLOCK_Y=8"

// The source with its macros defined in front, so that the configuration is part of what is hashed, cached
// and named in the log. Lines keep their numbers.
SourceFile configured(const SourceFile& source, const Settings& settings);
// "sweep.cu BLOCK_X=32,BLOCK_Y=8": a configuration in a measurement.
std::string configuration_name(const Sweep& sweep, const Settings& settings);

// A sweep of the program's own kernels.
struct FoundSweep {
  std::string task;  // and its folder in kernels/
  Sweep sweep;
};
// All of them for a backend, tasks in alphabetical order: kernels/*/sweep*.json.
std::vector<FoundSweep> embedded_sweeps(const std::string& backend);

}  // namespace explog::bench
