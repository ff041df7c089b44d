// y = x / sqrt(mean of x^2 + eps) * weight. All terms of the sum are positive: the relative error of y is
// that of the sum, and no magnitude is needed.
#include "explog_reference.h"

namespace explog {

void reference(Problem& p, std::int64_t begin, std::int64_t end) {
  const std::int64_t D = p.dim("D");
  const real eps = p.scalar("eps");
  const real* weight = p.in("weight");
  for (std::int64_t row = begin; row < end; ++row) {
    const real* x = p.in("x") + row * D;
    real* y = p.out("y") + row * D;
    real squares = 0;
    for (std::int64_t j : terms(D)) squares += x[j] * x[j];
    const real scale = real(1) / sqrt(squares / real(double(D)) + eps);
    for (std::int64_t j = 0; j < D; ++j) y[j] = x[j] * scale * weight[j];
  }
}

}  // namespace explog
