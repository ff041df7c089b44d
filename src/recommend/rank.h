// (context, evidence, playbook) -> ranked strategies with reasons. Pure and deterministic.
//
// Method: hierarchical Beta-Binomial back-off with similarity-weighted counts. The playbook's prior is the
// parent of the (family, strategy) rate, which is the parent of the rate at the same bottleneck and size;
// each child's counts are taken out of its parent's. Other families' rates are never a prior.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "model/context.h"
#include "model/evidence.h"
#include "model/playbook.h"

namespace explog::recommend {

struct Level {                // one line of the ledger
  std::string name;           // "playbook", "gemm", "gemm, memory-bound, 2^24 elements"
  double success = 0, n = 0;  // weighted counts at this level
  double p = 0;               // the rate after it
};

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
};

struct Avoid {
  std::string strategy, reason;
  std::vector<std::int64_t> rids;
};

struct Recommendation {
  std::string status;        // "evidence", "no_evidence" (then the order is the playbook's), "no_candidates"
  std::int64_t records = 0;  // of the family
  std::vector<Item> items;
  std::vector<Avoid> avoid;
};

// 80% interval of an item's P(success): quantiles of Beta(p * strength, (1 - p) * strength).
std::pair<double, double> interval(const Item& item);

enum class Order { success, gain };

Recommendation rank(const Context& context, const std::vector<Cell>& evidence, const Playbook& playbook,
                    Order order = Order::success);

}  // namespace explog::recommend
