// The best version of a campaign beside the task's own PyTorch program.
#pragma once
#include "app/campaign/folder.h"

namespace explog::app {

// Times the best version against PyTorch, eager and compiled, where that was not done yet, into the journal; why it could
// not be done too. Nothing where there is no kernel, no GPU or no verdict. Throws Error(usage) while another process judges.
void benchmark_best(CampaignFolder& folder, const Session& session);

}  // namespace explog::app
