// The playbook: strategies by filter and by name, and what is wrong with its files.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "app/session/session.h"

namespace explog::app {

struct StrategyFilter {
  std::string backend, family, category;  // empty: any
};

// Throws Error(usage) for a backend, family or category that there is not.
std::vector<Strategy> select_strategies(const StrategyFilter& filter, const Playbook& playbook);
// Strategies by id or alias. Throws Error(usage) for a name that the playbook does not know.
std::vector<Strategy> strategies_named(const std::vector<std::string>& names, const Playbook& playbook);

struct PlaybookCheck {
  std::size_t files = 0;
  std::vector<std::string> faults;
};
// Every file by itself, so that one bad file does not hide the next; then what holds between them.
PlaybookCheck check_strategies(const Session& session);

}  // namespace explog::app
