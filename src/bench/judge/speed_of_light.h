// The least time a call can take on a device.
#pragma once
#include "bench/judge/case.h"
#include "bench/judge/device.h"

namespace explog::bench {

// Speed of light of a call in ms: max(bytes / bandwidth, flops / rate) at the device's peaks; 0 unknown. Peak
// rates per multiprocessor and cycle: CUDA C++ Programming Guide, arithmetic instructions, and NVIDIA's data
// sheets (dense). `cached_writes`: as many bytes of output as the L2 holds need not have reached memory when
// the call ends.
double speed_of_light_ms(const Case& c, const Device& device, bool cached_writes = false);

// SOL-ExecBench's score of a kernel's time, from the times of its baseline and of the speed of light, as sol_score.py of
// NVIDIA/SOL-ExecBench computes it: 1 / (1 + (T_k - T_SOL) / (T_b - T_SOL)); 0.5 at the baseline's time. At or beyond the
// speed of light 1, and 0 where the baseline is there and the kernel is not.
double sol_score(double kernel_ms, double baseline_ms, double sol_ms);

}  // namespace explog::bench
