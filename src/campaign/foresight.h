// What a step of a ladder promises together with the steps that build on it.
#pragma once
#include <map>
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

// For each rung what it and all that it stands on promise together.
std::vector<double> promises_so_far(const std::vector<Rung>& rungs);

// Milliseconds by file, of rungs or of what the first ones change, 0 where they are not known.
using Times = std::map<std::string, double>;
// These, and those of what they stand on and nobody measured: how slow that is follows from the promises between.
Times with_what_is_below(const Times& measured, const std::vector<Rung>& rungs);

}  // namespace explog::campaign
