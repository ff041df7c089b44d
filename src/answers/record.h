// Everything known about records, as text and as JSON.
#pragma once
#include <string>
#include <vector>

#include "answers/terminal.h"
#include "app/records/named_records.h"

namespace explog::answers {

std::string records_json(const std::vector<store::Record>& records);
void print_records(const Terminal& terminal, const std::vector<store::Record>& records);

}  // namespace explog::answers
