// A campaign's versions that are files of a ladder, and what a step of it changes of the best version.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "app/campaign/campaign.h"
#include "bench/fitting_ladder.h"
#include "campaign/foresight.h"

namespace explog::app {

// The files of a ladder by their text.
using Rungs = std::map<std::string, std::string>;
Rungs rungs_by_text(const bench::FittingLadder& ladder);

// Times of those that were versions of this campaign: what was kept, and what was right and did not pay, because the next
// step may.
campaign::Times measured_rungs(const CampaignView& view, const Rungs& files);

// What the best version stands on.
struct Footing {
  std::string file;  // a rung; empty where it comes from no file of the ladder
  std::vector<std::string>
      edits;  // strategies of the versions between that rung and the best one, the newest first
};
Footing footing_of(const CampaignView& view, const Rungs& files);

// A step as a version that changes the best one. It says what comes beside the step's own change because the walk went past
// a step that was reverted, and what of the best version goes: a gain must not be told of one change where it is of several.
VersionToJudge version_of_step(const bench::FittingLadder& ladder, const bench::Step& step,
                               const Footing& footing);

}  // namespace explog::app
