// How many configurations each way to search needs, as a table and JSON.
#pragma once
#include <string>
#include <vector>

#include "answers/terminal.h"
#include "app/advice/backtest_searches.h"

namespace explog::answers {

void print_searches(const Terminal& terminal, const std::vector<app::SearchedSpace>& spaces,
                    const std::string& split);
std::string searches_json(const std::vector<app::SearchedSpace>& spaces, const std::string& split);

}  // namespace explog::answers
