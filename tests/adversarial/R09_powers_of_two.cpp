// task: transpose
// run: check
// expect: fail
// reason: wrong_values|unwritten_output|crash|out_of_bounds_write|nan
// Indexes with shifts and masks, which is right where both sides are powers of two.
#include <cstddef>

extern "C" void solve(const float* x, float* y, int M, int N) {
  int log_n = 31 - __builtin_clz(static_cast<unsigned>(N)),
      log_m = 31 - __builtin_clz(static_cast<unsigned>(M));
  size_t count = static_cast<size_t>(M) * N;
  for (size_t k = 0; k < count; ++k) {
    size_t i = k >> log_n, j = k & ((size_t{1} << log_n) - 1), to = j << log_m | i;
    if (to < count) y[to] = x[k];
  }
}
