// Files of a campaign that kernel-opt-skill knows by their names and headings: the environment, and a version's outputs.
#pragma once
#include <string>
#include <vector>

#include "campaign/state.h"

namespace explog::campaign {

// env_check.md.
std::string env_check(const Contract& contract, const std::vector<Found>& found);

// vN/correctness.md of a version that was judged. Shapes that candidates are not timed on are told by their number.
std::string correctness(const Contract& contract, const Version& version);

// benchmark.md of the best version, once the campaign has ended.
std::string benchmark(const Contract& contract, const State& state);

}  // namespace explog::campaign
