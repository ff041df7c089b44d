// What one sweep at one shape taught: the best configuration, and how often each single change helps.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "app/calibrate/sweep_records.h"

namespace explog::app {

// Outcomes of one strategy over all records of a space.
struct StrategyShare {
  std::size_t success = 0, neutral = 0, failure = 0;
  std::vector<double> speedups;
  std::size_t n() const { return success + neutral + failure; }
};

// What came of one sweep at one shape.
struct SweepResult {
  std::string task, file, shape;
  std::size_t configurations = 0, measured = 0, failed = 0, records = 0, added = 0;
  std::string best, first_failure;
  double best_ms = 0, baseline_ms = 0, noise = 0, drift = 0;
  std::map<std::string, StrategyShare> shares;

  void add(const bench::SweepWork& work, const Measured& measured);
  void add(const std::vector<Experience>& changes);
};

}  // namespace explog::app
