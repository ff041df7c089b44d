// Versions that set a kernel's declared knobs otherwise: `// tune: BLOCK 128 256 512`, lists of triton.Config and the like.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/campaign/campaign.h"

namespace explog::app {

// What a search of several knobs is called: of the playbook where that has a page for this backend, else as in records of
// `tune`.
std::string searched_strategy(const std::string& backend);

// A version that the program proposes itself.
VersionToJudge walked(bench::SourceFile source, std::string strategy, std::string hypothesis,
                      std::string rationale);

struct DeclaredProposals {
  std::vector<std::string> knobs;  // names
  // What was found good elsewhere, whole configurations, the nearest first; then each knob one value up and down.
  std::vector<VersionToJudge> versions;
  bool worth_tuning = false;  // there is more to find than single steps reach
};
// Nothing where the best version declares no knobs. Compiles and measures nothing.
DeclaredProposals declared_proposals(const NextStep& next, const bench::SourceFile& best,
                                     const Session& session);

// What `tune` finds of the knobs, from the store where it was asked before; nothing where the best version stays the best.
// Throws Error(interrupted or preempted) when a signal ended the search.
std::optional<VersionToJudge> tuned_proposal(const NextStep& next, const bench::SourceFile& best,
                                             std::uint64_t seed, const Session& session);

}  // namespace explog::app
