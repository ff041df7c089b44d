// The runner's clock stands in the candidate's process; the supervisor's does not. Pure.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "bench/judge/block_samples.h"
#include "bench/judge/verify.h"

namespace explog::bench {

// What speaks against a gain of the candidate's at one shape. The supervisor's time of a call holds what the runner does
// around it as well, the same for both arms: so it must save at least half of what the runner says. `forged` where it
// certainly does not; `unconfirmed` where it did not but might, and where a few calls make up for many fast ones. Only
// where calls are waited for (host) is the supervisor's time of a call looked at.
std::optional<Fault> speaks_against(const std::string& shape, const std::vector<BlockSamples>& blocks,
                                    bool waited_for);

// A burst of some calls and one of twice as many.
using BurstPair = std::array<BurstResult, 2>;
// Work that the runner's clock does not see, though its calls end after it: where each pair has more than half of a call's
// time of it. What surrounds a burst is in both; whoever waits for a processor waits by both clocks.
std::optional<Fault> work_outside(const std::vector<BurstPair>& pairs, int calls, double call_ms);

}  // namespace explog::bench
