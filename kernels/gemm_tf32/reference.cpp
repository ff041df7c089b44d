// C = A B, four rows and 512 columns at a time: a piece of a row of B serves four rows, and sums stay in the
// cache while the rows of B go by.
#include <algorithm>

#include "explog_reference.h"

namespace explog {

void reference(Problem& p, std::int64_t begin, std::int64_t end) {
  constexpr std::int64_t height = 4, width = 512;
  const std::int64_t N = p.dim("N"), K = p.dim("K");
  const real *A = p.in("A"), *B = p.in("B");
  real* C = p.out("C");
  double* magnitudes = p.magnitude("C");
  std::fill(C + begin * N, C + end * N, real(0));
  for (std::int64_t i0 = begin; i0 < end; i0 += height) {
    const std::int64_t i1 = std::min(end, i0 + height);
    for (std::int64_t j0 = 0; j0 < N; j0 += width) {
      const std::int64_t j1 = std::min(N, j0 + width);
      for (std::int64_t k : terms(K)) {
        const real* b = B + k * N;
        for (std::int64_t i = i0; i < i1; ++i) {
          const real a = A[i * K + k];
          real* c = C + i * N;
          double* magnitude = magnitudes + i * N;
          for (std::int64_t j = j0; j < j1; ++j) {
            const real product = a * b[j];
            c[j] += product;
            magnitude[j] += double(product) * double(product);
          }
        }
      }
    }
  }
  // The factors are rounded to tf32, the sums are not: the error is at most 2 u (when truncating 4 u) times
  // the sum of |a b|, which is at most sqrt(K) times this root. The sum of |a b| itself would let zeros pass.
  for (std::int64_t q = begin * N; q < end * N; ++q) magnitudes[q] = std::sqrt(magnitudes[q]);
}

}  // namespace explog
