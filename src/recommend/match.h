// Does a strategy apply to a kernel, and what speaks for it?
#pragma once
#include <string>
#include <vector>

#include "model/context.h"
#include "model/strategy.h"

namespace explog::recommend {

struct Match {
  bool possible = true;              // backend, arch, features and dtype allow it
  bool meant = true;                 // and the playbook means it for this family
  std::string why_not;               // the first thing that speaks against either
  double probability = 0;            // the playbook's prior, adjusted to the context
  std::vector<std::string> reasons;  // what raised or lowered it
};

// Backend, arch, family and requirements exclude; bottleneck, signals and source patterns shift the prior:
// x 1.15 for a bottleneck the strategy is meant for and x 0.6 for another, x 1.15 for each signal or pattern
// that holds, x 0.85 for each signal that does not; at most 0.95.
Match match(const Strategy& strategy, const Context& context);

}  // namespace explog::recommend
