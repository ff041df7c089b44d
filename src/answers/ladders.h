// Steps of ladders as text and JSON.
#pragma once
#include <vector>

#include "answers/terminal.h"
#include "app/calibrate/calibrate.h"

namespace explog::answers {

// What would be measured: `calibrate --dry-run`.
void print_steps(const Terminal& terminal, const std::vector<bench::Step>& steps);
void print_steps_json(const Terminal& terminal, const std::vector<bench::Step>& steps);
void print_step(const Terminal& terminal, const app::StepResult& result);
// The fastest variant of each task and shape, and how it compares with the naive one.
void print_best(const Terminal& terminal, const std::vector<app::StepResult>& results);
void print_ladders_json(const Terminal& terminal, const app::LadderResults& results);

}  // namespace explog::answers
