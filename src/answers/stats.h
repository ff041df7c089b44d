// What is in the store, as text and as JSON.
#pragma once
#include <string>

#include "answers/terminal.h"
#include "app/records/stats.h"

namespace explog::answers {

std::string stats_json(const app::Stats& stats);
void print_stats(const Terminal& terminal, const app::Stats& stats);

}  // namespace explog::answers
