// y[i][j] = sum of w[u][v] x[i + u - F/2][j + v - F/2] over the taps that fall inside the image.
#include "explog_reference.h"

namespace explog {

void reference(Problem& p, std::int64_t begin, std::int64_t end) {
  const std::int64_t H = p.dim("H"), W = p.dim("W"), F = p.dim("F");
  const real* x = p.in("x");
  const real* w = p.in("w");
  for (std::int64_t i = begin; i < end; ++i) {
    for (std::int64_t j = 0; j < W; ++j) {
      real sum = 0;
      double magnitude = 0;
      for (std::int64_t tap : terms(F * F)) {
        const std::int64_t row = i + tap / F - F / 2, column = j + tap % F - F / 2;
        if (row < 0 || row >= H || column < 0 || column >= W) continue;
        const real product = w[tap] * x[row * W + column];
        sum += product;
        magnitude += std::abs(double(product));
      }
      p.out("y")[i * W + j] = sum;
      p.magnitude("y")[i * W + j] = magnitude;
    }
  }
}

}  // namespace explog
