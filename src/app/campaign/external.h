// Campaigns for what is no kernel with a task: a file that the user's own commands check and measure.
#pragma once
#include <string>

#include "app/campaign/folder.h"

namespace explog::app {

// What the contract says of such a file. Throws Error(usage) where a command is missing.
void put_external(campaign::Contract& contract, const std::string& file, const std::string& measure,
                  const std::string& check);

// Of the commands and of the files that they name, the user's own left out.
std::string external_hash(const campaign::Contract& contract);

// As verdict_on().
campaign::Judged external_verdict(const CampaignFolder& folder, const campaign::Proposed& proposal,
                                  const Session& session);

}  // namespace explog::app
