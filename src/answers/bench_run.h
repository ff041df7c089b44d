// What every run of the judge shows besides its answer: the device, and what the candidate printed.
#pragma once
#include <string>

#include "answers/terminal.h"
#include "bench/harness/runner.h"

namespace explog::answers {

// What candidate code wrote to its standard output: shown, never read.
void print_candidate_output(const Terminal& terminal, const std::string& printed);
void print_device(const Terminal& terminal, const bench::Device& device);

}  // namespace explog::answers
