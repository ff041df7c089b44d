// Judging in a process of its own: who asked may leave, and finds the verdict later under the same folder and bytes.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "app/campaign/campaign.h"

namespace explog::app {

using Wanted = std::function<bool()>;  // asked now and then; false: nobody waits any more
void pause_between_looks();            // at a folder in which another process is at work

// Where it stands when it is done or nobody waits any more.
struct ApartRuling {
  CampaignView campaign;
  std::optional<int> version;                     // that has the verdict; nothing while it is judged
  bool known = false;                             // it had been judged before anybody asked here
  std::optional<campaign::Refused> refused = {};  // as in Ruling
};

// As start_campaign. A second call for the same task and bytes finds the first. The baseline has no verdict yet where
// the campaign's phase says so.
CampaignView start_campaign_apart(const CampaignStart& start, const Session& session, const Wanted& wanted);

// As judge_version, of a file or of `version.source`, which is written into the campaign's folder. Throws Error(busy)
// while another version is judged there.
ApartRuling judge_version_apart(const std::string& folder, const VersionToJudge& version,
                                const Session& session, const Wanted& wanted);

}  // namespace explog::app
