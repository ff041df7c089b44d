// The machine code of a campaign's versions: two sources that compile to the same program are judged once.
#pragma once
#include <string>

#include "app/campaign/folder.h"

namespace explog::app {

// A hash of what the version's file compiles to, which stays in the build cache for the judge. Empty where it is no kernel, is
// in Python, or does not compile: the judge says why.
std::string machine_code_of_version(const CampaignFolder& folder, const campaign::Proposed& proposal,
                                    const Session& session);

}  // namespace explog::app
