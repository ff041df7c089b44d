// What a candidate asks of the device in one call, taken down in a process of its own.
#pragma once
#include <array>
#include <string>

#include "bench/harness/helper_environment.h"
#include "bench/judge/case.h"

namespace explog::bench {

// Bytes of the plans of two calls with other buffers and other inputs, as the process that ran the candidate wrote
// them: nothing in them is checked yet.
struct Captured {
  std::array<std::string, 2> plans;
  std::string error;  // why there are none, in one line
};

// `setup.program` is the capturing program. Throws Error(unavailable) when it cannot be started.
Captured capture(const RunnerSetup& setup, const std::string& library, const Case& c);

}  // namespace explog::bench
