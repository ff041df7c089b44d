#include "app/launch/plan_status.h"

#include <chrono>
#include <map>
#include <thread>

namespace explog::app {
namespace {

constexpr double beats_waited = 2.5;  // for those who are silent

struct OwnerLook {
  std::string first;
  bool lives = false;
};

// True when every owner has been seen to beat.
bool look_again(const PlanFolder& folder, std::map<std::string, OwnerLook>& owners) {
  bool all = true;
  for (auto& [worker, look] : owners) {
    look.lives = look.lives || folder.beat_of(worker).value_or("") != look.first;
    all = all && look.lives;
  }
  return all;
}

}  // namespace

PlanStatus plan_status(const PlanFolder& folder) {
  PlanStatus status{folder.path(), folder.plan(), {}};
  std::map<std::string, OwnerLook> owners;
  for (const launch::Item& item : folder.plan().items) {
    ItemStatus one{item, folder.facts(item), {}};
    one.state = state_of(one.facts, false);
    if (one.state == launch::ItemState::running)
      owners[one.facts.claim->worker] = {folder.beat_of(one.facts.claim->worker).value_or(""), false};
    status.items.push_back(std::move(one));
  }
  auto until =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(beats_waited * folder.plan().beat_s);
  while (!look_again(folder, owners) && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  for (ItemStatus& one : status.items) {
    if (one.state == launch::ItemState::running)
      one.state = state_of(one.facts, !owners[one.facts.claim->worker].lives);
  }
  return status;
}

}  // namespace explog::app
