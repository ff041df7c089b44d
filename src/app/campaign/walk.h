// Versions that the program proposes itself: steps of the shipped ladders, other values of a kernel's constants, and
// single edits of its source.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "app/campaign/campaign.h"

namespace explog::app {

struct Proposal {
  VersionToJudge version;                // to judge now
  std::vector<bench::SourceFile> later;  // what may come after it, the likeliest first
};

// Nothing when there is nothing left to propose.
using Proposer = std::function<std::optional<Proposal>(const NextStep& next)>;

// Of all changes of the versions kept so far that were not tried: the one that promises most, by the ranking's chance and
// gain. From a ladder's first kernel it goes at once to a step whose changes on the way are all known to the records; without
// them it is one change after the other. What the ranking says to avoid is left out, unless it is a step of the task's ladder
// that others build on; what failed on an earlier version comes last. The same for the same store, campaign and seed, which
// says in what order equals come (0: as they stand in the source).
std::optional<Proposal> propose_by_walking(const NextStep& next, std::uint64_t seed, const Session& session);

// What that would be, for a person: the strategy, the change and where it is from. Empty where nothing is left.
std::string first_step_of_walk(const NextStep& next, const Session& session);

// Proposes and judges until the campaign ends; `listen` hears of each verdict. Without a proposal it ends by the rule
// nothing_left.
CampaignView run_campaign(const std::string& folder, const Proposer& propose,
                          const std::function<void(const Ruling&)>& listen, const Session& session);

}  // namespace explog::app
