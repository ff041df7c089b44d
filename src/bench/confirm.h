// On the host, whether a gain is there where candidate and baseline share no process.
#pragma once
#include <optional>

#include "bench/timing.h"

namespace explog::bench {

// What is left of a gain where the candidate's process is not the baseline's, noted in the shapes of `timing`; a fault where
// that is too little. A large gain is looked for in many turns of one pair of processes; a small one, of which two processes
// of one program may make as much, in many pairs.
std::optional<Fault> gain_lost_apart(Workbench& bench, TrustedProcesses& trusted, const Binaries& binaries,
                                     Timing& timing, const TimingOptions& options, const Progress& progress);

}  // namespace explog::bench
