// (context, evidence, playbook) -> ranked strategies with reasons. Pure and deterministic: the ledger's rates
// (ledger.h) over the playbook's priors. Other families' rates are never a prior.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/context.h"
#include "model/evidence.h"
#include "model/playbook.h"
#include "recommend/calibration.h"
#include "recommend/ledger.h"
#include "recommend/relax.h"

namespace explog::recommend {

struct Counts {
  std::int64_t n = 0, success = 0, neutral = 0, failure = 0, broken = 0;
};

struct Item {
  std::string strategy, title;
  double p = 0;         // P(success)
  double strength = 0;  // pseudo-records it rests on: interval() makes its uncertainty of it
  double p_failure = 0;
  double gain = 1;         // expected speed-up when it works, as a factor; capped by the headroom
  double expected = 0;     // p * log2 gain - p_failure * log2 loss / 2
  bool avoid = false;      // failed too often in this very context: listed last
  Counts counts;           // records of the family with this strategy, unweighted
  std::string confidence;  // prior only, weak, fair, good: from the weighted count in this context
  std::vector<Level> ledger;
  std::vector<std::string> reasons;
  std::vector<std::int64_t> rids;  // up to three of the nearest records
  int failures_to_fall = 0;        // failures in this situation that put it behind the next; 0 not known
};

struct Filtered {
  std::string strategy, reason;
};

struct Avoid {
  std::string strategy, reason;
  std::vector<std::int64_t> rids;
};

struct Recommendation {
  // evidence; prior_only (no record of the family: the playbook's order); unknown_kernel (the same, and the
  // type is not in the taxonomy); filtered (no strategy applies).
  std::string status;
  std::int64_t records = 0;  // of the family
  std::vector<Item> items;
  std::vector<Avoid> avoid;
  std::vector<Relaxation> relaxations;      // what to ask instead; empty when there is evidence
  std::vector<Filtered> filtered;           // strategies of the playbook that do not apply, and why
  std::vector<Similarity::Source> sources;  // who the evidence comes from
};

// 80% interval of an item's P(success): quantiles of Beta(p * strength, (1 - p) * strength).
std::pair<double, double> interval(const Item& item);

enum class Order { success, gain };

// `mend`: a recalibration fitted to the own records; the order of strategies by success stays as it is.
Recommendation rank(const Context& context, std::vector<Cell> evidence, const Playbook& playbook,
                    Order order = Order::success, const std::optional<Recalibration>& mend = {});

// Of the items behind the first `shown`: the one most worth trying for what it would teach, among those with
// fewer than three records here.
std::optional<std::size_t> to_explore(const std::vector<Item>& items, std::size_t shown);

}  // namespace explog::recommend
