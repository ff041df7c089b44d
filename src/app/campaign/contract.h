// What a campaign begins with: from the words of `campaign start` to its contract.
#pragma once
#include <string>

#include "app/campaign/campaign.h"
#include "campaign/contract.h"

namespace explog::app {

// What contracts and journals know a file's bytes by.
std::string hash_text(const std::string& bytes);

// Throws Error(usage) when task, file or rules will not do.
campaign::Contract contract_for(const CampaignStart& start, const Session& session);

}  // namespace explog::app
