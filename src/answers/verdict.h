// A verdict of `bench` as text and JSON, and its samples as CSV.
#pragma once
#include <string>

#include "answers/diagnosis.h"
#include "app/judge/bench.h"

namespace explog::answers {

using app::Judged;

void print_verdict(const Terminal& terminal, const Judged& judged, bool quiet);
std::string verdict_json(const Judged& judged);

// One line a sample: run, shape, block, place in its order, arm, milliseconds, SM clock, why the block does
// not count.
std::string samples_csv(const Measurement& m);

}  // namespace explog::answers
