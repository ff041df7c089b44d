// Device activity as CUPTI saw it; CUPTI is loaded at run time and may be missing.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace explog::cupti {

struct Activity {
  std::uint64_t start_ns = 0, end_ns = 0;
  std::string name;  // of a kernel; empty for copies and sets
};

// Starts recording kernels, copies and sets of this process. False when CUPTI cannot be had; `why` then says
// it.
bool start(std::string& why);
// What ended since the last call, by start time. The device must be idle.
std::vector<Activity> take();

}  // namespace explog::cupti
