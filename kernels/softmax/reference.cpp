// Softmax of each row: exp(x - max) / sum of exp(x - max).
#include "explog_reference.h"

#include <algorithm>

namespace explog {

constexpr std::int64_t run = 8192;  // longer sums are taken in parts, as the baselines do

void reference(Problem& p, std::int64_t begin, std::int64_t end) {
  const std::int64_t D = p.dim("D");
  for (std::int64_t row = begin; row < end; ++row) {
    const real* x = p.in("x") + row * D;
    real* y = p.out("y") + row * D;
    double* magnitude = p.magnitude("y") + row * D;
    real top = x[0];
    for (std::int64_t j = 1; j < D; ++j) top = x[j] > top ? x[j] : top;
    real sum = 0;
    for (std::int64_t r : terms((D + run - 1) / run)) {
      real part = 0;
      const real* first = x + r * run;
      for (std::int64_t j : terms(std::min(run, D - r * run))) part += exp(first[j] - top);
      sum += part;
    }
    for (std::int64_t j = 0; j < D; ++j) y[j] = exp(x[j] - top) / sum;
    // x - top carries a relative rounding error u, which exp turns into u |x - top| of its own term, and of
    // each term of the sum in proportion to its weight y. The 4: equal terms of a long sum round in the same
    // direction.
    double mean_distance = 0;
    for (std::int64_t j = 0; j < D; ++j) mean_distance += double(y[j]) * std::abs(double(x[j]) - double(top));
    for (std::int64_t j = 0; j < D; ++j) {
      magnitude[j] = double(y[j]) * (4 + std::abs(double(x[j]) - double(top)) + mean_distance);
    }
  }
}

}  // namespace explog
