// task: vector_add
// run: check
// expect: fail
// reason: wrong_values|nan
// One element in the middle is NaN, as if NaN matched anything.
#include <cmath>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  z[N / 2] = NAN;
}
