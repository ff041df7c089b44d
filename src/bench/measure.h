// All of the verdict on one candidate: right? faster? still so in a fresh process?
#pragma once
#include <string>

#include "bench/check.h"
#include "bench/timing.h"

namespace explog::bench {

// Where and with what a measurement was made; what it found wrong.
void describe_device(Measurement& m, const Device& device, const Toolchain& toolchain);
void set_fault(Measurement& m, const Fault& fault);

// Correctness first; then candidate against baseline in one process; and, where that would be a `keep`, once
// more in another, whose result is the one that counts. Fills all of `m` but the names and hashes of the
// sources; judge() gives its verdict.
CheckReport measure_candidate(Measurement& m, Workbench& bench, const Binaries& binaries,
                              const TimingOptions& options, const Progress& progress);

}  // namespace explog::bench
