// A keep says something about the timed shapes and their inputs alone. A quick look at others.
#pragma once
#include <string>
#include <vector>

#include "bench/cases.h"

namespace explog::bench {

// Times candidate and baseline, lightly, at one hidden shape and with one other distribution of the inputs, both by chance,
// in `runner`, which has begun and holds nothing yet. What `begins` beside it is waited for before anything is timed. A line for each at which the candidate takes more than 20% longer than the baseline: a warning, no verdict.
std::vector<std::string> slower_elsewhere(Workbench& bench, const Binaries& binaries, Runner& runner,
                                          Runner& begins, const Progress& progress);

}  // namespace explog::bench
