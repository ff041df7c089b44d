// Whether explog's probabilities were true, as text and as JSON.
#pragma once
#include <string>

#include "answers/terminal.h"
#include "app/advice/reliability.h"

namespace explog::answers {

void print_reliability(const Terminal& terminal, const app::ReliabilityReport& report);
std::string reliability_json(const app::ReliabilityReport& report);

}  // namespace explog::answers
