// Strategies of the playbook: a table, each in full, and what is wrong with their files.
#pragma once
#include <string>
#include <vector>

#include "answers/rows.h"
#include "app/advice/strategies.h"

namespace explog::answers {

void print_families(const Terminal& terminal, Format format, const std::vector<std::string>& families);
void print_strategy_table(const Terminal& terminal, Format format, const std::vector<Strategy>& strategies);

std::string strategies_json(const std::vector<Strategy>& strategies);  // an array, prose included
void print_strategies(const Terminal& terminal, const std::vector<Strategy>& strategies);

std::string playbook_check_json(const app::PlaybookCheck& check);
void print_playbook_check(const Terminal& terminal, const app::PlaybookCheck& check);

}  // namespace explog::answers
