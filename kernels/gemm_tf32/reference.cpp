// C = A B: explog_reference.h does it.
#include "explog_reference.h"

namespace explog {

void reference(Problem& p, std::int64_t begin, std::int64_t end) {
  const std::int64_t N = p.dim("N");
  double* magnitudes = p.magnitude("C");
  multiply(p.in("A"), p.in("B"), p.out("C"), magnitudes, N, p.dim("K"), begin, end,
           [](auto term) { return term * term; });
  // The factors are rounded to tf32, the sums are not: the error is at most 2 u (when truncating 4 u) times
  // the sum of |a b|, which is at most sqrt(K) times this root. The sum of |a b| itself would let zeros pass.
  for (std::int64_t q = begin * N; q < end * N; ++q) magnitudes[q] = std::sqrt(magnitudes[q]);
}

}  // namespace explog
