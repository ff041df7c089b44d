// Versions that the program proposes itself: steps of the shipped ladders and other values of a kernel's constants.
#pragma once
#include <functional>
#include <optional>

#include "app/campaign.h"

namespace explog::app {

// The next version to judge; nothing when there is nothing left to propose.
using Proposer = std::function<std::optional<VersionToJudge>(const NextStep& next)>;

// Of all changes of the versions kept so far that were not tried: the one whose strategy is most likely to help, by
// the ranking. What the ranking says to avoid is left out. The same for the same store and campaign.
std::optional<VersionToJudge> propose_by_walking(const NextStep& next, const Session& session);

// Proposes and judges until the campaign ends; `listen` hears of each verdict. Without a proposal it ends by the rule
// nothing_left.
CampaignView run_campaign(const std::string& folder, const Proposer& propose,
                          const std::function<void(const Ruling&)>& listen, const Session& session);

}  // namespace explog::app
