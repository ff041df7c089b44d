// What `campaign` can be asked for: an action of each name.
#pragma once
#include <span>
#include <string_view>

#include "cli/campaign_flags.h"
#include "cli/context.h"

namespace explog::cli {

struct CampaignAction {
  std::string_view name;
  int (*run)(const CampaignFlags& flags, const Context& context);  // returns the exit code
  bool takes_words = false;                                        // behind its name
};

std::span<const CampaignAction> campaign_actions();

}  // namespace explog::cli
