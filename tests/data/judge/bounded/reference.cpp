#include "explog_reference.h"

namespace explog {

void reference(Problem& p, std::int64_t begin, std::int64_t end) {
  const real* x = p.in("x");
  real* y = p.out("y");
  for (std::int64_t i = 0; begin == 0 && i < p.dim("N"); ++i) y[i] = x[i];
  (void)end;
}

}  // namespace explog
