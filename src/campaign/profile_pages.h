// A version's counters as kernel-opt-skill writes them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "campaign/state.h"

namespace explog::campaign {

// Nsight Compute's names of the metrics that both pages know.
std::vector<std::string_view> profile_metrics();

// vN/ncu_summary.md: by group. Metrics that were not taken are left out.
std::string ncu_summary(const Contract& contract, const Version& version);

// vN/ncu_details.md: every counter over its launches.
std::string ncu_details(const Version& version);

}  // namespace explog::campaign
