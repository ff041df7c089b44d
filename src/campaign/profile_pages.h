// A version's counters as kernel-opt-skill writes them.
#pragma once
#include <string>

#include "campaign/state.h"

namespace explog::campaign {

// vN/ncu_summary.md: by group. Metrics that were not taken are left out.
std::string ncu_summary(const Contract& contract, const Version& version);

// vN/ncu_details.md: every counter over its launches.
std::string ncu_details(const Version& version);

}  // namespace explog::campaign
