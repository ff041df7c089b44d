// Waiting for what another process does in a campaign's folder.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "app/campaign/apart.h"

namespace explog::app {

// Yes, for so many seconds from now on.
Wanted wanted_for(double seconds);

// Where it stands once no version is judged there any more, or nobody waits any more.
CampaignView await_verdict(const std::string& folder, const Session& session, const Wanted& wanted);

// `first` hears where it stands, `then` of the events that are written from there on, until the campaign has ended. What the
// process that judges says it is doing is progress.
void watch_campaign(const std::string& folder, const Session& session,
                    const std::function<void(const CampaignView&)>& first,
                    const std::function<void(const std::vector<campaign::Event>&)>& then);

}  // namespace explog::app
