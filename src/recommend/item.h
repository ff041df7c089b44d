// What is said of one strategy: its chance, its gain, and what both rest on.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/question.h"
#include "recommend/ledger.h"
#include "recommend/match.h"
#include "recommend/reliability.h"

namespace explog::recommend {

struct Counts {
  std::int64_t n = 0, success = 0, neutral = 0, failure = 0, broken = 0;
  std::int64_t reversed = 0;        // of n: the opposite change, read backwards
  std::int64_t in_process = 0;      // of n: timed in the candidate's own process, not replayed
  std::int64_t other_backends = 0;  // records that were made with other backends; not in n
};

struct Item {
  std::string strategy, title;
  double p = 0;         // P(success)
  double score = 0;     // what it is ordered by: p, unless a rule of the order holds it back
  double strength = 0;  // pseudo-records it rests on: interval() makes its uncertainty of it
  double p_failure = 0;
  double gain = 1;          // expected speed-up when it works, as a factor; capped by the headroom
  double expected = 0;      // p * log2 gain - p_failure * log2 loss / 2
  bool called_for = false;  // more than one signal that is measured speaks for it, and none against it
  bool avoid = false;       // failed too often in this very question: listed last
  bool elsewhere = false;   // meant for the question's bottleneck, and tried under others alone
  Counts counts;            // records of the family, with this strategy and backend, unweighted
  std::string confidence;   // prior only, weak, fair, good: how much evidence, from its weighted count here
  std::string conflict;     // an item above that it cannot be combined with
  std::vector<LedgerLine> ledger;
  std::vector<std::string> reasons;
  std::vector<std::string> lacks;  // strategies it builds on that the kernel does not have: they come first
  std::vector<std::int64_t> rids;  // up to three of the nearest records
  std::vector<std::string> ids;    // theirs, where somebody who can read the store has filled them in
  std::string first_step, falsifier;  // of the playbook, where somebody who has its prose has filled them in
  int failures_to_fall = 0;           // failures in this situation that put it behind the next; 0 not known

  bool prior_only() const { return counts.n == 0; }
};

constexpr double most_by_prior = 0.6;     // P of a strategy that nobody here has tried
constexpr double most_unsupported = 0.3;  // the same where it needs a signal and none is known
constexpr double believable = 0.45;       // a guess up to here is taken as it is
constexpr double prior_strength = 4;      // pseudo-records
constexpr double untried_strength = 2;    // the same where there is no record: a wide interval

// Fills everything but the place. `m`: nullptr for a strategy that the playbook does not have.
Item item_of(const Question& question, const std::string& id, const Strategy* known, const Match* m,
             const Account& account, const std::optional<Recalibration>& curve);

// 80% interval of an item's P(success): quantiles of Beta(p * strength, (1 - p) * strength).
std::pair<double, double> interval(const Item& item);

// Up to three records of those cells that weigh most.
std::vector<std::int64_t> nearest_records(const std::vector<Weighed>& cells);

// "sm_80/86" from several architectures of one vendor.
std::string arch_list(const std::vector<std::string>& archs);

}  // namespace explog::recommend
