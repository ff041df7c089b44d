#include "bench/judge/block_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "bench/judge/statistics.h"

namespace explog::bench {
namespace {

// NVML: hardware slow-down, software and hardware thermal limit, power brake. The software power cap is
// normal work.
constexpr std::uint64_t throttle_reasons = 0x8 | 0x20 | 0x40 | 0x80;
constexpr double largest_clock_difference = 0.03;

// Two passes of the same kernel tell whether the clock moved; that the candidate's differs may be its own
// doing.
std::string discarded(const BlockSamples& raw) {
  for (const PassResult& p : raw.passes) {
    if ((p.throttle & throttle_reasons) != 0)
      return fmt::format("throttled ({:#x})", p.throttle & throttle_reasons);
  }
  auto [slower, faster] =
      std::minmax({of_arm(raw.passes, Arm::baseline).sm_mhz, of_arm(raw.passes, Arm::baseline_again).sm_mhz});
  return slower > 0 && faster > (1 + largest_clock_difference) * slower ? "SM clock moved" : "";
}

}  // namespace

const std::vector<double>& samples_of(const PassResult& pass, bool by_kernels) {
  return by_kernels ? pass.kernel_ms : pass.event_ms;
}

bool kernel_times_hold(const BlockSamples& raw) {
  auto holds = [](const PassResult& p) {
    return std::all_of(p.kernel_ms.begin(), p.kernel_ms.end(), [](double ms) { return ms > 0; }) &&
           median(p.event_ms) <= 1.2 * median(p.kernel_ms) + 0.04;
  };
  return std::all_of(raw.passes.begin(), raw.passes.end(), holds);
}

Block block_of(const BlockSamples& raw, bool by_kernels) {
  Block block;
  block.order = raw.order;
  for (Arm arm : all_arms) {
    const PassResult& pass = of_arm(raw.passes, arm);
    of_arm(block.passes, arm) = {samples_of(pass, by_kernels), pass.sm_mhz};
  }
  block.discarded = discarded(raw);
  return block;
}

}  // namespace explog::bench
