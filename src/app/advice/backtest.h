// How good the ranking would have been on records whose outcome is known.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "recommend/backtest.h"

namespace explog::app {

struct BacktestRequest {
  std::string train, test;  // JSON lines; without `train` the database, without `test` what was learned from
  recommend::Split split = recommend::Split::gpu;
  std::string order;                   // file: a playbook's order and factors
  std::optional<std::size_t> at_most;  // records to learn from, of each kernel on each GPU
};

struct BacktestRecords {
  std::vector<recommend::Dated> train, test;
};
// Throws Error(usage) for a file that cannot be read; records that are refused are left out with a warning.
BacktestRecords read_backtest_records(const BacktestRequest& request, const Session& session);
recommend::Backtest backtest(const BacktestRequest& request, const Session& session);

// At most `n` records of each kernel on each GPU, chosen by a hash of what they say, so that a smaller choice
// is part of a larger one whatever order they stand in.
void thin(std::vector<recommend::Dated>& records, std::size_t n);

// Lines "strategy,prior_factor" behind a header; the place of a line is the strategy's place in the order.
// Throws Error(usage) naming `name` and the line.
recommend::PlaybookOrder parse_order(std::string_view text, const std::string& name);

}  // namespace explog::app
