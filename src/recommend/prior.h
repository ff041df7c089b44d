// What the playbook expects before any record of a strategy.
#pragma once
#include <string>

#include "model/context.h"
#include "model/playbook.h"
#include "recommend/ledger.h"

namespace explog::recommend {

// The playbook's probabilities say which strategies are better than others; how often anything at all
// succeeds depends on who tries, and the family's records know it. All odds are multiplied by one factor,
// with which the strategies that were tried would have succeeded as often as they did: each speaks once, two
// records say half of what it has to say, and two pseudo-strategies pull the factor toward 1.
class Prior {
 public:
  Prior(const Playbook* playbook, const Context& context, const Ledger& ledger);
  // Of a strategy, by its match with the context where the playbook has it.
  double of(const std::string& strategy) const;

 private:
  double raw(const std::string& strategy) const;

  const Playbook* playbook_;
  const Context& context_;
  double base_, odds_ = 1;
};

}  // namespace explog::recommend
