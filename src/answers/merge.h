// What a merge did, and which records are the same experiment, as text and as JSON.
#pragma once
#include <string>
#include <vector>

#include "answers/terminal.h"
#include "app/sync/merge.h"

namespace explog::answers {

std::string merged_json(const store::Store::Merged& merged);
// What was refused, and what is not believed as it stands, on the terminal's second stream.
void warn_of_merged(const Terminal& terminal, const store::Store::Merged& merged);
void print_merged(const Terminal& terminal, const store::Store::Merged& merged);

std::string duplicates_json(const std::vector<app::Duplicates>& groups);
void print_duplicates(const Terminal& terminal, const std::vector<app::Duplicates>& groups);

}  // namespace explog::answers
