#include "campaign/foresight.h"

#include <algorithm>
#include <map>

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

}  // namespace explog::campaign
