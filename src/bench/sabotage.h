// A baseline that is slow because the candidate is loaded beside it.
#pragma once
#include <optional>

#include "bench/timing.h"

namespace explog::bench {

// Was the baseline of `timing` slowed by the candidate? First a look: it is timed again in the process that never saw the
// candidate. Where that is faster, a fresh process that has both and the one that has not time it in turns, so that
// what else runs on the machine slows both. `baseline_sabotaged`, a cheat, where the turns show it too; else
// `machine_busy`: the machine slowed the baseline while it was timed, and the gain means nothing. Or how the fresh process failed.
std::optional<Fault> baseline_slowed(Workbench& bench, TrustedProcesses& trusted, const Binaries& binaries,
                                     const Timing& timing);

}  // namespace explog::bench
