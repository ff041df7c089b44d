// For each pair (a, b) = (x[i], x[i + D/2]) of a head: (a cos - b sin, b cos + a sin).
#include "explog_reference.h"

namespace explog {

void reference(Problem& p, std::int64_t begin, std::int64_t end) {
  const std::int64_t H = p.dim("H"), D = p.dim("D"), half = D / 2;
  for (std::int64_t n = begin; n < end; ++n) {
    const real* c = p.in("cosines") + n * half;
    const real* s = p.in("sines") + n * half;
    for (std::int64_t h = 0; h < H; ++h) {
      const real* x = p.in("x") + (n * H + h) * D;
      real* y = p.out("x") + (n * H + h) * D;
      double* magnitude = p.magnitude("x") + (n * H + h) * D;
      for (std::int64_t i = 0; i < half; ++i) {
        const real a = x[i], b = x[i + half];
        y[i] = a * c[i] - b * s[i];
        y[i + half] = b * c[i] + a * s[i];
        magnitude[i] = std::abs(double(a) * double(c[i])) + std::abs(double(b) * double(s[i]));
        magnitude[i + half] = std::abs(double(b) * double(c[i])) + std::abs(double(a) * double(s[i]));
      }
    }
  }
}

}  // namespace explog
