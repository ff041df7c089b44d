// task: vector_add
// run: check
// expect: fail
// reason: wrong_values|nan
// The largest element is infinite; an infinite tolerance, or inf - inf, would let it pass.
#include <algorithm>
#include <cmath>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  *std::max_element(z, z + N) = INFINITY;
}
