// The loss of each row: log(sum of exp(x - max)) + max - x[target].
#include "explog_reference.h"

#include <algorithm>

namespace explog {

constexpr std::int64_t run = 8192;  // longer sums are taken in parts, as the baselines do

void reference(Problem& p, std::int64_t begin, std::int64_t end) {
  const std::int64_t V = p.dim("V");
  const std::int64_t* target = p.in_int("target");
  for (std::int64_t row = begin; row < end; ++row) {
    const real* x = p.in("x") + row * V;
    real top = x[0];
    for (std::int64_t j = 1; j < V; ++j) top = x[j] > top ? x[j] : top;
    real sum = 0;
    for (std::int64_t r : terms((V + run - 1) / run)) {
      real part = 0;
      const real* first = x + r * run;
      for (std::int64_t j : terms(std::min(run, V - r * run))) part += exp(first[j] - top);
      sum += part;
    }
    const real distance = top - x[target[row]];
    p.out("loss")[row] = log(sum) + distance;
    // The error of the sum is relative, so it is absolute in its logarithm: 4 fold for equal terms that round
    // in the same direction, and u |x - top| of each term in proportion to its weight.
    double mean_distance = 0;
    for (std::int64_t j = 0; j < V; ++j) {
      const double away = std::abs(double(x[j]) - double(top));
      mean_distance += std::exp(-away) / double(sum) * away;
    }
    p.magnitude("loss")[row] = 4 + std::log(double(sum)) + std::abs(double(distance)) + mean_distance;
  }
}

}  // namespace explog
