// What happened, added up by context: the only thing the recommender reads of the store.
#pragma once
#include <cstdint>
#include <string>

namespace explog {

// Records of one strategy in one situation; sums over rows of the table cell (schema/0001_store.sql).
struct Cell {
  std::string strategy, backend, arch, bottleneck, level;
  int size = -1;
  std::int64_t success = 0, neutral = 0, failure = 0, broken = 0;
  std::int64_t gain_n = 0, gain_sum = 0;     // successes with a speed-up: log2 * 10^4
  std::int64_t loss_n = 0, loss_sum = 0;     // failures with a speed-up
  std::int64_t first_rid = 0, last_rid = 0;  // its oldest and newest record

  std::int64_t n() const { return success + neutral + failure; }
};

}  // namespace explog
