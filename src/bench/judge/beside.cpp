#include "bench/judge/beside.h"

#include <algorithm>

namespace explog::bench {

double lower_quartile(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 4];
}

double slowdown_beside(const std::vector<Turn>& turns) {
  std::vector<double> ratios;
  for (const Turn& t : turns) ratios.push_back(t.beside / std::max(t.alone, 1e-9));
  return turns.empty() ? 1 : lower_quartile(std::move(ratios));
}

}  // namespace explog::bench
