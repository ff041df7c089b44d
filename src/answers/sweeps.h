// Sweeps as text and JSON.
#pragma once
#include "answers/terminal.h"
#include "app/calibrate/calibrate.h"

namespace explog::answers {

// What would be measured: `calibrate --sweep --dry-run`.
void print_spaces(const Terminal& terminal, const std::vector<bench::FoundSweep>& sweeps);
void print_spaces_json(const Terminal& terminal, const std::vector<bench::FoundSweep>& sweeps);
void print_sweep(const Terminal& terminal, const app::SweepResult& result);
// Success, neutral and failure of each strategy, over the shapes of a family.
void print_shares(const Terminal& terminal, const std::vector<app::SweepResult>& results);
void print_sweeps_json(const Terminal& terminal, const app::SweepResults& results);

}  // namespace explog::answers
