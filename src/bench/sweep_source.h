// The names of configurations, and the sweeps of the program's own kernels.
#pragma once
#include <string>
#include <vector>

#include "bench/harness/source_file.h"
#include "model/sweep.h"

namespace explog::bench {

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
