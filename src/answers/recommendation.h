// A recommendation as text and as JSON.
#pragma once
#include <string>

#include "answers/terminal.h"
#include "app/advice/recommend.h"

namespace explog::answers {

// `explain`: how each rate came about, and what was left out.
void print_advice(const Terminal& terminal, const app::Advice& advice, bool explain);
std::string advice_json(const app::Advice& advice, bool explain);

}  // namespace explog::answers
