// What a device says about itself, as a runner reports it.
#pragma once
#include <string>

namespace explog::bench {

struct Device {
  std::string gpu, arch, driver, runtime;  // driver "580.159.04", or "CUDA 13.0"; empty on the host
  std::string clock;                       // cupti, events, steady
  std::string cupti_missing;               // why the clock is events
  std::string sandbox;                     // "landlock 7, seccomp", or "none"
  double flush_bytes = 0, cache_bytes = 0, memory_bytes = 0;
  double bandwidth = 0;  // bytes per second at the memory's clock; 0 unknown
  int multiprocessors = 0;
  double clock_hz = 0;  // highest SM clock
};

}  // namespace explog::bench
