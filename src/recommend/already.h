// What a kernel has already is not advised.
#pragma once
#include <string>

#include "model/playbook.h"
#include "model/question.h"

namespace explog::recommend {

// How we know that the kernel has the strategy, or what took its place: by its state, profile or source, or by a
// strategy that replaces it and is there; empty when nothing says so. `known`: nullptr for a strategy that the playbook
// does not have.
std::string why_there(const std::string& strategy, const Strategy* known, const Question& question,
                      const Playbook& playbook);

}  // namespace explog::recommend
