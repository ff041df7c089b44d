// The kept versions of a campaign as a branch to review: one commit a version.
#pragma once
#include <string>
#include <vector>

#include "app/session/session.h"

namespace explog::app {

struct CampaignBranch {
  std::string repository, name;        // "explog/rope-20261122-100000"
  int commits = 0;                     // version 0 first, where its bytes are not those of HEAD
  std::vector<std::string> set_aside;  // refs of the versions that were not kept
};

// Makes branch and refs anew from the journal, in the repository of the user's file; its work tree, index and stash
// stay as they are. Throws Error(usage) where there is no repository, or the branch has commits of others.
CampaignBranch branch_campaign(const std::string& folder, const Session& session);

}  // namespace explog::app
