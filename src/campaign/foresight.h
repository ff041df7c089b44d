// What a step of a ladder promises together with the steps that build on it.
#pragma once
#include <string>
#include <vector>

namespace explog::campaign {

struct Rung {
  std::string file, after;  // the step, and what it changes
  double promise = 0;       // expected log gain of the step alone
};

// For each rung its promise and, at a discount, the largest among those that change it: a step that gains little, or
// nothing, may open the way to one that gains much. A rung must stand behind the one it changes.
std::vector<double> promises_ahead(const std::vector<Rung>& rungs);

}  // namespace explog::campaign
