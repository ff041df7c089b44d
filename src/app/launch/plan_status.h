// Where a plan stands.
#pragma once
#include <string>
#include <vector>

#include "app/launch/plan_folder.h"

namespace explog::app {

struct ItemStatus {
  launch::Item item;
  launch::ItemFacts facts;
  launch::ItemState state = launch::ItemState::waiting;
};

struct PlanStatus {
  std::string folder;
  launch::WorkPlan plan;
  std::vector<ItemStatus> items;
};

// Looks twice where somebody claims to be at work: those that do not beat meanwhile are lost. At once where nobody does.
PlanStatus plan_status(const PlanFolder& folder);

}  // namespace explog::app
