// What a step of a ladder promises together with the steps that build on it.
#pragma once
#include <map>
#include <string>
#include <string_view>
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

// What lies between two rungs: whose changes come, from below on, and whose go, from above on.
struct Way {
  std::vector<std::string> up, down;
};
// From the rung that a version stands on; without one, all that `to` stands on comes.
Way way_between(const std::string& from, const std::string& to, const std::vector<Rung>& rungs);

// "smem_tiling+vectorized_access+no_fast_math": what a version brings and what it takes away, each once and in this order;
// where that is too long for a name "several:FILE".
std::string strategy_of(const std::vector<std::string>& brought, const std::vector<std::string>& gone,
                        const std::string& file);
// Whether such a name, of one change or several, brings this strategy.
bool brings(std::string_view strategy_of_version, std::string_view strategy);

}  // namespace explog::campaign
