// What bounds a kernel, from its counters: Nsight Compute's speed-of-light rule, and two older rule sets.
#pragma once
#include <string>
#include <vector>

#include "model/profile.h"

namespace explog::diagnose {

// A figure and what it was compared with.
struct Evidence {
  std::string metric;
  double value = 0;
  std::string op;  // what holds: "<", ">=", ...
  double threshold = 0;
};

struct Label {
  std::string word;    // memory, compute, latency, occupancy, balanced, unknown
  std::string detail;  // where: DRAM, L2, L1; the busiest pipe; grid, registers, shared memory ...
  std::string why;     // one sentence
  std::vector<Evidence> evidence;
  double margin = 100;  // points to the nearest threshold that would have told otherwise
};

enum class Rules { nsight, tilegym, kernel_opt };

// Nsight Compute's rule SpeedOfLight.py (2025): 80 is a roof that is nearly met, below 60 on both sides
// waiting dominates, less than 10 apart is balanced. Waiting, too few warps (a grid of less than 3/4 of a
// wave, theoretical or achieved occupancy below 50%) are `occupancy`; enough warps that wait all the same, or
// few by design because tiles in registers keep an arithmetic pipe at work, are `latency`.
Label label_of(const Launch& launch, Rules rules = Rules::nsight);

// DRAM's share of its peak by either name that Nsight Compute has for it.
std::optional<double> dram_share(const Launch& launch);
// The resource that allows fewest blocks on a multiprocessor: "registers", "shared memory", "warps",
// "blocks", "barriers"; "" unknown.
std::string occupancy_limiter(const Launch& launch);

}  // namespace explog::diagnose
