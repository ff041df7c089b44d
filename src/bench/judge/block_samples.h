// A block of passes as the runner reported them -> the samples that are judged.
#pragma once
#include <array>
#include <vector>

#include "bench/judge/pass.h"
#include "model/measurement.h"

namespace explog::bench {

struct BlockSamples {
  std::array<PassResult, 3> passes;  // by Arm
  std::array<Arm, 3> order = all_arms;
};

// The samples of a pass by one clock: CUPTI's times of the device's work, or else events (host: the steady
// clock).
const std::vector<double>& samples_of(const PassResult& pass, bool by_kernels);

// CUPTI's kernel times count when it saw every call and what events add is no more than a wait's latency.
bool kernel_times_hold(const BlockSamples& raw);

// With the reason why it does not count, if so: the device was throttled or its clock moved.
Block block_of(const BlockSamples& raw, bool by_kernels);

}  // namespace explog::bench
