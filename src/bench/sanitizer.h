// NVIDIA's compute-sanitizer over one call of a candidate.
#pragma once
#include <string>

#include "bench/check.h"

namespace explog::bench {

// Runs memcheck, racecheck, initcheck and synccheck at the same time, each over one call of the task's
// largest hidden shape, in buffers of the exact size, for a candidate that has passed so far.
// `report.sanitizer` becomes "pass", "unavailable: why", or what a tool found, which fails the candidate. The
// answer is kept under the hash of the candidate's build; "unavailable" is not kept and never counts as a
// pass. The host backend has none of this.
void sanitize(CheckReport& report, Workbench& bench, const Binaries& binaries, const Progress& progress);

}  // namespace explog::bench
