// What a kernel has already is not advised.
#pragma once
#include <string>

#include "model/question.h"
#include "model/strategy.h"

namespace explog::recommend {

// How we know that the kernel has the strategy, or what replaced it: by its state, profile or source; empty when
// nothing says so. `known`: nullptr for a strategy that the playbook does not have.
std::string why_there(const std::string& strategy, const Strategy* known, const Question& question);

}  // namespace explog::recommend
