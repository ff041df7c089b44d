// One attempt at an item of a plan: the command in a process of its own, in a local folder, so that neither a kernel's crash
// nor a shared folder out of reach ends the worker.
#pragma once
#include <string>
#include <vector>

#include "app/launch/plan_heart.h"

namespace explog::app {

struct AttemptEnd {
  // done: the command gave its answer. stopped: we were told to stop. lost: somebody else has the item. crashed: a signal
  // ended the command. unable: this machine cannot do it.
  enum class How { done, stopped, lost, crashed, unable };
  How how = How::done;
  int exit = 0;
  std::string said;  // the first line of its complaint
  double wall_s = 0;
};

struct PlanAttempt {
  const PlanFolder& folder;
  const launch::Item& item;
  int number = 1;
  std::string machine;                   // what times here: work begun on another model is not continued
  std::vector<std::string> environment;  // NAME=value for the command
};

// What it has come to is kept in the plan's folder with every beat, and when it ends. Throws Error(remote) while that is out
// of reach at the beginning.
AttemptEnd run_attempt(const PlanAttempt& attempt, PlanHeart& heart, const Session& session);

}  // namespace explog::app
