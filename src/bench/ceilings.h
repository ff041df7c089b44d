// What the GPU present really reaches: kernels/harness/ceilings, built and run once.
#pragma once
#include "bench/harness/toolchain.h"
#include "model/device_ceilings.h"

namespace explog::bench {

// Takes about ten seconds. Throws Error(unavailable) when there is no GPU or compiler, or the program fails.
DeviceCeilings measure_ceilings();

}  // namespace explog::bench
