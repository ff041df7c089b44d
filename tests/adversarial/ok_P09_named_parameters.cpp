// task: transpose
// run: check
// expect: pass
// Honest: takes N before M, and says so by the parameters' names.
#include <cstddef>

extern "C" void solve(const float* x, float* y, int N, int M) {
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) y[static_cast<size_t>(j) * M + i] = x[static_cast<size_t>(i) * N + j];
}
