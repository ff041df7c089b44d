// The runner's clock stands in the candidate's process; the supervisor's does not. Pure.
#pragma once
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

}  // namespace explog::bench
