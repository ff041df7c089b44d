// What helper processes that run a candidate find in their environment.
#pragma once
#include <string>
#include <vector>

namespace explog::bench {

// How one process is started.
struct RunnerSetup {
  std::vector<std::string> interpreter;  // of a program that is a library for Python: its first words
  std::string program;                   // the runner
  std::vector<std::string> before;       // a tool that runs it (compute-sanitizer ...)
  std::string cupti;                     // path of libcupti.so
  std::string gpu;                       // UUID of the one GPU it sees; empty: as this process
  std::string imports;                   // modules that the interpreter imports at once
  std::string tools;                     // a folder of the PATH behind the system's, or empty
  std::string toolkit;                   // CUDA_HOME of what compiles at run time, or empty
  std::string writable;  // a folder of the candidate's, for what it compiles at run time; or empty
  bool use_cupti = true;
  bool profiled_outside = false;  // `before` is a profiler
  bool replays = false;           // plans: no code of a candidate's runs in it
  bool lazy_loading = false;      // kernels are loaded when they are first called
};

// NAME=value: nothing of the user's but what finds the driver and the device. `folder` is home and scratch.
std::vector<std::string> helper_environment(const RunnerSetup& setup, const std::string& folder);

// What compilers behind Python keep in `folder`, and what tells them not to search: a candidate is judged as it is.
void add_compilers_caches(std::vector<std::string>& environment, const std::string& folder);

}  // namespace explog::bench
