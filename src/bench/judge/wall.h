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
// certainly does not; `unconfirmed` where it did not but might, and where a few calls make up for many fast ones (of a gain
// from 2% on). Only where calls are waited for (host) is the supervisor's time of a call looked at.
std::optional<Fault> speaks_against(const std::string& shape, const std::vector<BlockSamples>& blocks,
                                    bool waited_for);

// What counts of a call that took `wall_ms`: not what its main thread `waited_ms` for a processor, because of what else runs on
// the machine; but as much as all threads of its process worked, since it may be those that it waited for.
double own_ms(double wall_ms, double waited_ms, double worked_ms);

// A gain that was seen while both were in one process must be seen where they are not, in each turn by this process's clock:
// all of it but a quarter, or of a small one half, up to 3% of the baseline's time, by which two processes of the same program
// may differ.
struct ClaimedGain {
  double baseline_ms = 0, saved_ms = 0;  // of a call, beside each other
};
ClaimedGain claimed_by(const ShapeRun& run);
// By how much two processes of one program differ is their own, however often they are compared: whether the gain is small
// enough to be of that size.
bool is_small(const ClaimedGain& claimed);
// What a call of the candidate's saved in each turn, in milliseconds: by this process's clock, and of processor time.
struct SavedApart {
  std::vector<double> own_ms, worked_ms;
};
// Work that the processors need not do is saved time as well, and is known with a part of the clock's noise: a small gain
// may show there.
enum class Seen { yes, no, open };
Seen seen_apart(const ClaimedGain& claimed, const SavedApart& saved);
// Of what is open still after many turns: whether it was seen on the whole.
bool may_be_there(const ClaimedGain& claimed, const SavedApart& saved);
// What was saved, by what shows more of a small gain.
const std::vector<double>& told_apart(const ClaimedGain& claimed, const SavedApart& saved);
// What to say when it was not seen.
Fault unseen_apart(const std::string& shape, const ClaimedGain& claimed, const SavedApart& saved);

// A burst of some calls and one of twice as many.
using BurstPair = std::array<BurstResult, 2>;
// Work that the runner's clock does not see, though its calls end after it: where each pair has more than half of a call's
// time of it. What surrounds a burst is in both; whoever waits for a processor waits by both clocks.
std::optional<Fault> work_outside(const std::vector<BurstPair>& pairs, int calls, double call_ms);

}  // namespace explog::bench
