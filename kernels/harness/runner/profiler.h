// Metrics of Nsight Compute for the kernels that one call launches, measured in this process by CUPTI's Range
// Profiler (CUDA 12.6 or later). CUPTI is loaded at run time and may be missing.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace explog::profiler {

struct Launch {
  std::string kernel;                                   // demangled; a number when launches were not seen
  std::vector<std::pair<std::string, double>> metrics;  // names of Nsight Compute; ns, byte, Hz, %
};

struct Profile {
  std::vector<Launch> launches;      // in launch order
  std::vector<std::string> missing;  // metrics that this chip does not have
  int passes = 0;
};

// Each of the three is called once a pass, in this order, and waits for what it launches: `prepare` puts the
// buffers back; `flush` empties the caches, also of what CUPTI wrote when it began to look, and leaves no
// trace in the result; `work` launches the kernels, the same ones each time. What they throw goes to the
// caller. False when there is nothing to report; `why` then says it in one sentence with the remedy. True
// with a `why` when the result wants a caveat.
bool measure(const std::vector<std::string>& metrics, const std::function<void()>& prepare,
             const std::function<void()>& flush, const std::function<void()>& work, Profile& profile,
             std::string& why);

}  // namespace explog::profiler
