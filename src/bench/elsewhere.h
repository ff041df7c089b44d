// A keep says something about the timed shapes and their inputs alone, and of a replay about its plan. A quick look at others.
#pragma once
#include <string>
#include <vector>

#include "bench/cases.h"
#include "model/measurement.h"

namespace explog::bench {

// Times candidate and baseline, lightly, at one hidden shape and with one other distribution of the inputs, both by chance,
// in `runner`, which has begun and holds nothing yet. What `begins` beside it is waited for before anything is timed. A line for each at which the candidate takes more than 20% longer than the baseline: a warning, no verdict.
// One more where at one timed shape of `replayed`, by chance, calls in that process gain more than 2% less or more than their
// replay does; `replayed` is empty where nothing was.
std::vector<std::string> slower_elsewhere(Workbench& bench, const Binaries& binaries, Runner& runner,
                                          Runner& begins, const MeasurementRun& replayed,
                                          const Progress& progress);

}  // namespace explog::bench
