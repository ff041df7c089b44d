// task: transpose
// run: check
// expect: fail|crash
// reason: wrong_values|signature|out_of_bounds_write|unwritten_output|crash|nan
// Takes M for N and N for M, which only a square matrix forgives.
#include <cstddef>

extern "C" void solve(const float* x, float* y, int N, int M) {
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) y[static_cast<size_t>(j) * M + i] = x[static_cast<size_t>(i) * N + j];
}
