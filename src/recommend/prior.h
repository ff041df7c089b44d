// What the playbook expects before any record of a strategy.
#pragma once
#include <string>

#include "model/playbook.h"
#include "model/question.h"
#include "recommend/ledger.h"

namespace explog::recommend {

// The playbook's probabilities order the strategies; how often an attempt succeeds at all depends on who tries,
// and the family's records tell it. All odds are multiplied by one factor, chosen so that the strategies that
// were tried would have succeeded as often as they did. Each strategy has one vote, which four records make
// half known, and two pseudo-strategies pull the factor toward 1.
class Prior {
 public:
  Prior(const Playbook* playbook, const Question& question, const Ledger& ledger);
  // Of a strategy, by its match with the question where the playbook has it.
  double of(const std::string& strategy) const;
  // What of its records holds for a kernel like this one, 0..1.
  double believed(const std::string& strategy) const;

 private:
  double raw(const std::string& strategy) const;

  const Playbook* playbook_;
  const Question& question_;
  double base_, odds_ = 1;
};

}  // namespace explog::recommend
