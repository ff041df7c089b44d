// Names of strategies in records that the playbook does not know, and what they are told to mean.
#pragma once
#include <string>
#include <vector>

#include "app/session/session.h"
#include "store/read.h"

namespace explog::app {

struct UnmappedStrategy {
  store::StrategyCount count;
  std::vector<std::string> nearest;  // ids of the playbook
};
// Names that stand for no strategy, neither by themselves nor by an alias; most records first.
std::vector<UnmappedStrategy> unmapped_strategies(const Session& session);

struct NewAlias {
  std::string name, target;  // as stored; equal: the name means itself again
  std::int64_t records = 0;  // that count for the target from now on
};
// Says, for good and for whoever this log is shared with, that records under a name count for a strategy.
// Throws Error(usage) for a name that is a strategy's own, or a target that is none.
NewAlias alias_strategy(const std::string& name, const std::string& target, const Session& session);

}  // namespace explog::app
