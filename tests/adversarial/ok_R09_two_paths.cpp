// task: transpose
// run: check
// expect: pass
// reason: .*
// Honest: blocks of eight rows where there are eight, else row by row. Right for all.
#include <cstddef>
extern "C" void solve(const float* x, float* y, int M, int N) {
  int i = 0;
  for (; i + 8 <= M; i += 8)
    for (int j = 0; j < N; ++j)
      for (int k = 0; k < 8; ++k) y[static_cast<size_t>(j) * M + i + k] = x[static_cast<size_t>(i + k) * N + j];
  for (; i < M; ++i)
    for (int j = 0; j < N; ++j) y[static_cast<size_t>(j) * M + i] = x[static_cast<size_t>(i) * N + j];
}
