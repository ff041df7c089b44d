// Counters of a campaign's version.
#pragma once
#include <string>
#include <vector>

#include "app/campaign/campaign.h"
#include "model/profile.h"

namespace explog::app {

// What the pages of a profile know of these launches of one kernel: mean, deviation and ends of each metric.
campaign::Profile profile_of(const std::vector<const Launch*>& launches, const std::string& by);

// Reads a CSV of Nsight Compute and keeps its longest kernel, or the one whose name fits the RE2 pattern, as the counters of
// the version; pages are written. Throws Error(usage) for a version that is not there and a file that will not do.
CampaignView profile_version(const std::string& folder, int version, const std::string& csv,
                             const std::string& kernel_name, const Session& session);

}  // namespace explog::app
