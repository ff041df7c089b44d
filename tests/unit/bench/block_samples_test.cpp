#include "bench/judge/block_samples.h"

#include <doctest/doctest.h>

using namespace explog;
using namespace explog::bench;

namespace {

PassResult pass(std::vector<double> event_ms, std::vector<double> kernel_ms, double sm_mhz = 1000) {
  PassResult p;
  p.event_ms = std::move(event_ms);
  p.kernel_ms = std::move(kernel_ms);
  p.sm_mhz = sm_mhz;
  return p;
}

BlockSamples raw() {
  BlockSamples block;
  for (PassResult& p : block.passes) p = pass({1.0, 1.1}, {0.9, 1.0});
  block.order = {Arm::baseline_again, Arm::baseline, Arm::candidate};
  return block;
}

}  // namespace

TEST_CASE("kernel times hold while every call was seen and events add no more than a wait's latency") {
  BlockSamples block = raw();
  CHECK(kernel_times_hold(block));
  block.passes[1] = pass({1.0, 1.1}, {0.9, 0});  // a call without work on the device
  CHECK_FALSE(kernel_times_hold(block));
  block.passes[1] = pass({1.2, 1.2}, {0.9, 0.9});
  CHECK_FALSE(kernel_times_hold(block));
}

TEST_CASE("a block takes its samples from the chosen clock and keeps its order") {
  Block by_kernels = block_of(raw(), true), by_events = block_of(raw(), false);
  for (const Pass& p : by_kernels.passes) CHECK(p.ms == std::vector<double>{0.9, 1.0});
  for (const Pass& p : by_events.passes) CHECK(p.ms == std::vector<double>{1.0, 1.1});
  CHECK(by_events.order == std::array<Arm, 3>{Arm::baseline_again, Arm::baseline, Arm::candidate});
  CHECK(by_events.passes[1].sm_mhz == 1000);
  CHECK(by_events.discarded.empty());
}

TEST_CASE("a block with a throttled device or a clock that moved between the baselines does not count") {
  BlockSamples throttled = raw(), moved = raw(), candidate = raw(), capped = raw();
  throttled.passes[1].throttle = 0x40;
  moved.passes[2].sm_mhz = 1040;
  candidate.passes[1].sm_mhz = 1040;
  capped.passes[0].throttle = 0x4;
  CHECK(block_of(throttled, true).discarded == "throttled (0x40)");
  CHECK(block_of(moved, true).discarded == "SM clock moved");
  CHECK(block_of(candidate, true).discarded.empty());
  CHECK(block_of(capped, true).discarded.empty());
}
