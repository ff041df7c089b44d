// y[j][i] = x[i][j].
#include "explog_reference.h"

namespace explog {

void reference(Problem& p, std::int64_t begin, std::int64_t end) {
  const std::int64_t M = p.dim("M"), N = p.dim("N");
  const real* x = p.in("x");
  real* y = p.out("y");
  for (std::int64_t i = begin; i < end; ++i) {
    for (std::int64_t j = 0; j < N; ++j) y[j * M + i] = x[i * N + j];
  }
}

}  // namespace explog
