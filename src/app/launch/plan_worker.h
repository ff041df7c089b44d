// A worker: takes items of a plan, one after the other, runs each as a command of its own, and says what came of it.
#pragma once
#include <functional>
#include <string>

#include "app/launch/plan_folder.h"

namespace explog::app {

struct PlanWork {
  launch::PlanShard shard;  // whose items come first; then any that nobody has
  bool only_shard = false;  // and none of the others
  std::string node;         // readable; empty: $SLURMD_NODENAME, else the host's name
};

struct PlanEnd {
  std::size_t done = 0, failed = 0, left = 0;  // items of the plan: ended, of those with a failure, not ended
  int signal = 0;                              // that ended the worker before the plan was through
};

// Told of an item's end here: done, preempted, ...
using ItemListener = std::function<void(const launch::Item& item, const std::string& what)>;

// Until every item has its end, also those of other workers, whose items it takes over when they fall silent. Throws Error
// where this machine cannot do the work.
PlanEnd work_on_plan(const PlanFolder& folder, const PlanWork& work, const Session& session,
                     const ItemListener& listen);

}  // namespace explog::app
