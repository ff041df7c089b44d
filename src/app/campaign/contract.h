// What a campaign begins with: from the words of `campaign start` to its contract.
#pragma once
#include <string>

#include "app/campaign/campaign.h"
#include "campaign/contract.h"

namespace explog::app {

// Throws Error(usage) when task, file or rules will not do.
campaign::Contract contract_for(const CampaignStart& start, const Session& session);

}  // namespace explog::app
