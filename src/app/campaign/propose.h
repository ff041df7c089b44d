// Versions that somebody else's program proposes.
#pragma once
#include <optional>
#include <string>

#include "app/campaign/campaign.h"

namespace explog::app {

// Runs `command` by the shell with `question` (the JSON of `campaign next`) on its standard input; it writes the version to
// next.write, beside which lies what the best version includes, and may say on its standard output, a line each, `strategy: ID`, `hypothesis: TEXT`, `rationale: TEXT`.
// Exit 75: it has nothing left to propose. Throws Error(usage) with its last words when it fails or writes nothing.
std::optional<VersionToJudge> propose_by_command(const NextStep& next, const std::string& command,
                                                 const std::string& question);

}  // namespace explog::app
