// Sum of each row of integers.
#include "explog_reference.h"

namespace explog {

void reference(Problem& p, std::int64_t begin, std::int64_t end) {
  const std::int64_t D = p.dim("D");
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t* x = p.in_int("x") + row * D;
    std::int64_t sum = 0;
    for (std::int64_t j = 0; j < D; ++j) sum += x[j];
    p.out_int("y")[row] = sum;
  }
}

}  // namespace explog
