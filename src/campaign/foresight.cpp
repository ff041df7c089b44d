#include "campaign/foresight.h"

#include <algorithm>
#include <cmath>

namespace explog::campaign {

std::vector<double> promises_ahead(const std::vector<Rung>& rungs) {
  constexpr double patience = 0.7;  // of what is a step away: the step before it may fail
  std::map<std::string, double> best_behind;
  std::vector<double> ahead(rungs.size());
  for (std::size_t i = rungs.size(); i-- > 0;) {
    const Rung& rung = rungs[i];
    auto behind = best_behind.find(rung.file);
    ahead[i] = rung.promise + (behind == best_behind.end() ? 0 : patience * behind->second);
    double& before = best_behind[rung.after];
    before = std::max(before, ahead[i]);
  }
  return ahead;
}

std::vector<double> promises_so_far(const std::vector<Rung>& rungs) {
  std::map<std::string, double> of;
  std::vector<double> all;
  for (const Rung& rung : rungs) all.push_back(of[rung.file] = of[rung.after] + rung.promise);
  return all;
}

Times with_what_is_below(const Times& measured, const std::vector<Rung>& rungs) {
  Times all = measured;
  for (std::size_t i = rungs.size(); i-- > 0;) {
    auto above = all.find(rungs[i].file);
    if (above == all.end() || above->second <= 0 || measured.contains(rungs[i].after)) continue;
    const double ms = above->second * std::exp(rungs[i].promise);
    auto [below, is_new] = all.emplace(rungs[i].after, ms);
    if (!is_new) below->second = std::min(below->second, ms);
  }
  return all;
}

}  // namespace explog::campaign
