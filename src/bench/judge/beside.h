// What the baseline takes beside a candidate, and where no candidate is. Pure.
#pragma once
#include <vector>

namespace explog::bench {

// Times of the baseline (ms, all above 0): one beside the candidate and one alone, taken right after another, so that
// what else runs on the machine slows both.
struct Turn {
  double beside = 0, alone = 0;
};

// Of the ratios beside / alone, the one that three quarters of all turns exceed: a candidate that slows the baseline
// slows it in every turn, a busy machine in some of them. 1 for no turns.
double slowdown_beside(const std::vector<Turn>& turns);

// The value that three quarters of all exceed; 0 for none.
double lower_quartile(std::vector<double> values);

}  // namespace explog::bench
