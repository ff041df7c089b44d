// Each row times a factor, and the sum of each row; its magnitude is the sum of absolute values.
#include "explog_reference.h"

namespace explog {

void reference(Problem& p, std::int64_t begin, std::int64_t end) {
  const std::int64_t D = p.dim("D");
  for (std::int64_t row = begin; row < end; ++row) {
    const real* x = p.in("x") + row * D;
    real sum = 0;
    double magnitude = 0;
    for (std::int64_t i : terms(D)) {
      p.out("scaled")[row * D + i] = real(p.scalar("factor")) * x[i];
      sum += x[i];
      magnitude += std::abs(double(x[i]));
    }
    p.out("sums")[row] = sum;
    p.magnitude("sums")[row] = magnitude;
  }
}

}  // namespace explog
