// The search that asks first for what is expected to be fast: pure.
#pragma once
#include <span>
#include <vector>

#include "model/space.h"
#include "tune/search.h"

namespace explog::tune {

// The most promising of `list`, by what the store expects (plan.expected) and what the known rows say of those
// near them; a few at a time, more the more are known. Empty when all, or as many as the plan allows, are known.
//
// The times of the known rows, less what was expected of them, are the values of a Gaussian process (Rasmussen and
// Williams 2006, algorithm 2.1) over the distance of configurations in doublings; the rows whose lower bound of one
// standard deviation is least come next (Cox and John 1992). How far the expectation holds here is part of the
// process: seven tenths of it, give or take.
std::vector<std::size_t> next_of_predicted(const Space& space, std::span<const Configuration> rows,
                                           const std::vector<std::size_t>& list,
                                           std::span<const Outcome> outcomes, const Plan& plan);

}  // namespace explog::tune
