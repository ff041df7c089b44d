// Two plans of the same candidate and shape, from other buffers and other inputs.
#pragma once
#include <string>
#include <vector>

#include "harness/plan.h"

namespace explog::bench {

// The same plan without what differs from call to call by itself: bytes that are addresses (and tensor maps) are
// zero, allocations have no placement, and pieces of data are numbered by their use.
plan::Plan normalised(plan::Plan p);

struct PlanDifferences {
  // What another call does in another way: the plan does not hold for other inputs. One line, or empty.
  std::string decides;
  // What may be padding or left over from the call before: the bytes of the outputs decide.
  std::vector<std::string> may_be_padding;
};
PlanDifferences compare_plans(const plan::Plan& a, const plan::Plan& b);

}  // namespace explog::bench
