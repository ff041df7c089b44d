// A backtest as a table and JSON, and explog's rankings as JSON lines.
#pragma once
#include <string>
#include <vector>

#include "answers/terminal.h"
#include "recommend/backtest.h"

namespace explog::answers {

// `split`: the word for what each query is answered without.
std::string backtest_json(const recommend::Backtest& r, const std::string& split);
void print_backtest(const Terminal& terminal, const recommend::Backtest& r, const std::string& split);
std::string rankings_jsonl(const std::vector<recommend::Ranking>& rankings);  // a line a query

}  // namespace explog::answers
