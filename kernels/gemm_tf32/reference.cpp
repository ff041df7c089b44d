// C = A B, row by row: the row of C stays in the cache while the rows of B go by.
#include "explog_reference.h"

namespace explog {

void reference(Problem& p, std::int64_t begin, std::int64_t end) {
  const std::int64_t N = p.dim("N"), K = p.dim("K");
  const real* B = p.in("B");
  for (std::int64_t i = begin; i < end; ++i) {
    const real* a = p.in("A") + i * K;
    real* c = p.out("C") + i * N;
    double* magnitude = p.magnitude("C") + i * N;
    for (std::int64_t j = 0; j < N; ++j) c[j] = 0;
    for (std::int64_t k : terms(K)) {
      const real* b = B + k * N;
      for (std::int64_t j = 0; j < N; ++j) {
        const real product = a[k] * b[j];
        c[j] += product;
        magnitude[j] += double(product) * double(product);
      }
    }
    // The factors are rounded to tf32, the sums are not: the error is at most 2 u (when truncating 4 u) times
    // the sum of |a b|, which is at most sqrt(K) times this root. The sum of |a b| itself would let zeros
    // pass.
    for (std::int64_t j = 0; j < N; ++j) magnitude[j] = std::sqrt(magnitude[j]);
  }
}

}  // namespace explog
