// What follows by itself from where a campaign stands: decisions and the end.
#pragma once
#include <optional>

#include "campaign/state.h"

namespace explog::campaign {

// keep, revert or crash, from the judge's verdict by the campaign's rules.
Decision decide(const Contract& contract, const Judged& judged);

// The times of version 0 against itself tell less than agreed; never where 100% or more was agreed.
bool is_noisy(const Contract& contract, const Judged& baseline);

// The rule that ends the campaign now, or nothing; the first that holds of baseline_broken, baseline_noisy,
// max_versions, small_gain, at_the_roof, no_gain, budget.
std::optional<Stopped> rule_that_stops(const Contract& contract, const State& state);

// Its end is for somebody to look at before all others: nothing says what bounds the kernel.
bool is_escalated(const State& state);

// What may be done once that ended it, in a line.
std::string after_the_end(const Stopped& stop);

// The next event that follows from the last ones without anybody doing anything: a decision after a verdict, the
// end after a decision. Nothing once the campaign waits for somebody.
std::optional<Happening> due(const Contract& contract, const State& state);

}  // namespace explog::campaign
