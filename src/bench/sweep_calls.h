// How many calls of a sweep a time needs, and with what inputs they are checked.
#pragma once
#include <cstdint>

namespace explog::bench {

constexpr std::uint64_t sweep_input_seed = 0x5eed;

// In a pass, where each takes `each_ms`: of a candidate, with a 99% interval; of the baseline, whose median alone counts.
int calls_for_time(double each_ms);
int calls_for_drift(double each_ms, bool on_host);

}  // namespace explog::bench
