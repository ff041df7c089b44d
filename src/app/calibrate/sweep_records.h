// A measured space of configurations -> one-variable changes as records.
#pragma once
#include <optional>
#include <vector>

#include "bench/sweep.h"
#include "model/experience.h"

namespace explog::app {

// What is known of each configuration of a sweep at one shape; nothing for those not measured yet.
using Measured = std::vector<std::optional<Measurement>>;

// From every right configuration to each measured one that differs in one parameter: sizes doubled, flags
// set; halved and cleared only where the way back is not the same pair of timings. What a record says depends
// on its two measurements alone, so that deriving it again gives the same bytes. Success and failure need 5%
// and intervals that exclude 1.
std::vector<Experience> sweep_experiences(const bench::SweepWork& work, const Measured& measured);

}  // namespace explog::app
