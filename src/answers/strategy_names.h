// Names of strategies that the playbook does not know, and a new meaning of one.
#pragma once
#include <string>
#include <vector>

#include "answers/rows.h"
#include "app/advice/strategy_names.h"

namespace explog::answers {

std::string unmapped_json(const std::vector<app::UnmappedStrategy>& names);
void print_unmapped(const Terminal& terminal, Format format, const std::vector<app::UnmappedStrategy>& names);

std::string alias_json(const app::NewAlias& alias);
void print_alias(const Terminal& terminal, const app::NewAlias& alias);

}  // namespace explog::answers
