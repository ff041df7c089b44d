// The rows of a ladder.json: steps that only set constants of a file beside it.
#pragma once
#include <string>
#include <vector>

#include "model/ladder.h"

namespace explog::bench {

// None where there is no ladder.json. Throw Error(usage) for one that is wrong.
std::vector<LadderRow> embedded_ladder(const std::string& task);  // of kernels/TASK in the program
std::vector<LadderRow> ladder_on_disk(const std::string& folder);

}  // namespace explog::bench
