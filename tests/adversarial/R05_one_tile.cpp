// task: transpose
// run: check
// expect: fail
// reason: unwritten_output|wrong_values|nan
// Transposes by tiles of 16 x 16 and forgets the seventh one.
#include <cstddef>

extern "C" void solve(const float* x, float* y, int M, int N) {
  int tile = 0;
  for (int i0 = 0; i0 < M; i0 += 16) {
    for (int j0 = 0; j0 < N; j0 += 16) {
      if (++tile == 7) continue;
      for (int i = i0; i < M && i < i0 + 16; ++i)
        for (int j = j0; j < N && j < j0 + 16; ++j)
          y[static_cast<size_t>(j) * M + i] = x[static_cast<size_t>(i) * N + j];
    }
  }
}
