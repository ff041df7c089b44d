// What a profiler saw of kernel launches: Nsight Compute's metric names, values in its base units (ns, byte,
// Hz, byte/s, %, cycle).
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/experience.h"

namespace explog {

// A line of advice of Nsight Compute itself.
struct ProfilerRule {
  std::string section, name, type;  // "Occupancy", "AchievedOccupancy", OPT | INF | WRN
  std::string text;
  std::string scope;               // of the estimate: local, global or empty
  std::optional<double> estimate;  // its estimated speed-up in percent
};

struct Launch {
  std::int64_t id = 0;
  std::string process, kernel, grid, block;  // "2081", "softmax(float *, int)", "(40, 1, 1)", "(256, 1, 1)"
  std::string arch;                          // sm_90
  std::int64_t invocations = 1;              // launches that the values are means of
  Facts metrics;                             // sorted by name, each name once
  std::vector<std::pair<std::string, std::string>> texts;  // values that are words
  std::vector<std::string> missing;                        // metrics the profiler could not read
  std::vector<ProfilerRule> rules;
};

// Binary search in metrics sorted by name.
std::optional<double> metric(const Launch& launch, std::string_view name);
std::string_view text_metric(const Launch& launch, std::string_view name);  // "" when there is none
void sort_metrics(Facts& metrics);                                          // of equal names the first stays

// The metrics that explog collects by itself and keeps in a record: what `diagnose` reads and what the
// playbook's signals name.
std::span<const std::string_view> kept_metrics();
// Those of `metrics` that a record keeps, and each rule's estimate as "nsight_estimate.RULE" (percent, the
// largest).
Facts record_metrics(const Launch& launch);

// One kernel of a profile: launches of the same name, grid and block.
struct KernelProfile {
  const Launch* launch = nullptr;  // the one of median duration: what stands for all
  std::size_t launches = 0;
  double total_ns = 0;  // over all of them; 0 unknown
};
// Kernels by total time, longest first; those whose time is unknown in the order of the file.
std::vector<KernelProfile> kernels_of(const std::vector<Launch>& launches);
// What the launches of a call add up to: the kept metrics that are sums, of those that every launch has.
Facts sums_of(const std::vector<Launch>& launches);

}  // namespace explog
