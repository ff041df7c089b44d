// How soon each way to search a space finds a good configuration, on spaces whose times are known.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "app/advice/backtest.h"

namespace explog::app {

// Configurations of one kernel on one GPU at one shape, put together from records of single changes.
struct SearchedSpace {
  std::string kernel, gpu, shape;
  std::size_t rows = 0;
  std::size_t good = 0;      // whose time is at most that of the best / 0.95
  std::size_t evidence = 0;  // records of knobs to learn from, without the group left out
  // A way to search, and how many measurements it makes until one of a good row, that row included.
  std::vector<std::pair<std::string, double>> needed;
};

// Those that the records to test hold. `progress` is told which one is searched.
std::vector<SearchedSpace> searched_spaces(const BacktestRecords& records, recommend::Split split,
                                           const Listener& progress);

// Every search begins at the rows that half, three quarters and 95% of the others are faster than, in turn; the median
// counts. Of `random` it is the mean over 100 seeds. Throws Error(usage) for a split that tells no spaces apart.
std::vector<SearchedSpace> backtest_searches(const BacktestRequest& request, const Session& session);

}  // namespace explog::app
