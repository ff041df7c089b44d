// How much evidence there is, and of what: the counts behind `stats` and `trust`.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/sqlite.h"

namespace explog::store {

// Records of one group by their outcome.
struct OutcomeCounts {
  std::int64_t success = 0, neutral = 0, failure = 0;
  std::int64_t n() const { return success + neutral + failure; }
};

struct GroupTotals {
  std::string name;
  OutcomeCounts outcomes;
};
struct Breakdown {
  std::string by;                   // "backend": a column of the evidence
  std::vector<GroupTotals> groups;  // the largest first
};

// A strategy with at least three records, one of which helped.
struct StrategyTotals {
  std::string strategy;
  std::int64_t n = 0, success = 0;
  double median_gain = 0;  // speed-up of those that helped
};

// Records that carry an estimate of their speed-up beside what was obtained.
struct EstimateTotals {
  std::int64_t n = 0;
  double estimated = 0, obtained = 0;  // geometric means of speed-ups
};

// What a rule of Nsight Compute estimated in recorded profiles, against what was saved.
struct RuleTotals {
  std::string rule;
  std::int64_t n = 0;
  double estimated_pct = 0, saved_pct = 0;  // medians, percent of the time
  double reached_pct = 0;                   // percent of the records that met the estimate
};

// What hypotheses about a strategy promised of counters, against what was measured.
struct PromiseTotals {
  std::string strategy;
  std::int64_t n = 0, kept = 0;
  double mean_error = 0;  // percent points
};

struct Totals {
  std::int64_t records = 0, retracted = 0;
  std::vector<Breakdown> breakdowns;
  std::vector<StrategyTotals> best_strategies;  // by median gain
  EstimateTotals estimates;
  std::vector<RuleTotals> rules;
  std::vector<PromiseTotals> promises;
};
// All of it from one state of the database; at most `strategies` of the best.
Totals totals(sql::Db& db, int strategies);

// The records that count of one origin.
OutcomeCounts totals_of_origin(sql::Db& db, std::int64_t origin_no);

}  // namespace explog::store
