#include "tune/effects.h"

#include <cmath>
#include <map>

namespace explog::tune {

double variance_share(std::span<const std::pair<std::string, double>> rows) {
  struct Group {
    double n = 0, sum = 0;
  };
  std::map<std::string, Group> groups;
  double sum = 0, squares = 0, n = static_cast<double>(rows.size());
  for (const auto& [value, ms] : rows) {
    double x = std::log2(ms);
    Group& group = groups[value];
    ++group.n, group.sum += x;
    sum += x, squares += x * x;
  }
  double all = n > 0 ? squares - sum * sum / n : 0, between = 0;
  for (const auto& [value, group] : groups) between += group.sum * group.sum / group.n;
  constexpr double rounding = 1e-12;
  return all > rounding * n ? (between - sum * sum / n) / all : 0;
}

}  // namespace explog::tune
