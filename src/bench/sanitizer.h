// NVIDIA's compute-sanitizer over one call of a candidate.
#pragma once
#include <future>
#include <string>

#include "bench/check.h"
#include "bench/plans.h"

namespace explog::bench {

// Runs memcheck, racecheck, initcheck and synccheck at the same time, each over one call of the task's
// largest hidden shape, in buffers of the exact size, for a candidate that has passed so far.
// `report.sanitizer` becomes "pass", "unavailable: why", or what a tool found, which fails the candidate. The
// answer is kept under the hash of the candidate's build; "unavailable" is not kept and never counts as a
// pass. The host backend has none of this.
// With `plans` memcheck also looks at the largest timed shape, with padding behind each buffer, where the candidate's plan can be
// replayed: an index that goes wrong in a large grid alone shows in no hidden shape.
void sanitize(CheckReport& report, Workbench& bench, const Binaries& binaries, const Progress& progress,
              const std::shared_future<Plans>& plans = {});

}  // namespace explog::bench
