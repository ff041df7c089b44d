// The values that a kind of option or argument can have here: for completions.
#pragma once
#include <string>
#include <vector>

#include "app/session/session.h"

namespace explog::app {

// "strategies", "tasks", "remotes", "archs", ...
std::vector<std::string> value_kinds();
// None for a kind that is not one of them.
std::vector<std::string> values_of(const std::string& kind, const Session& session);

}  // namespace explog::app
