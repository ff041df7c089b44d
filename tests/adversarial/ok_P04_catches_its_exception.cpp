// task: vector_add
// run: check
// expect: pass
// reason: .*
// Honest: throws for every length that is no multiple of four, and catches that itself.
#include <stdexcept>

static void by_four(const float* x, const float* y, float* z, int N) {
  if (N % 4 != 0) throw std::invalid_argument("not a multiple of four");
  for (int i = 0; i < N; i += 4)
    for (int k = 0; k < 4; ++k) z[i + k] = x[i + k] + y[i + k];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  try {
    by_four(x, y, z, N);
  } catch (const std::invalid_argument&) {
    for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  }
}
