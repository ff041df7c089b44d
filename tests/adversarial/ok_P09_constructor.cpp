// task: transpose
// run: check
// expect: pass
// reason: .*
// Honest: a constructor fills a small table when the library is loaded.
#include <cstddef>

static int offsets[64];
__attribute__((constructor)) static void fill() {
  for (int i = 0; i < 64; ++i) offsets[i] = (i % 8) * 8 + i / 8;
}

extern "C" void solve(const float* x, float* y, int M, int N) {
  for (int i0 = 0; i0 < M; i0 += 8)
    for (int j0 = 0; j0 < N; j0 += 8)
      for (int k : offsets) {
        int i = i0 + k / 8, j = j0 + k % 8;
        if (i < M && j < N) y[static_cast<size_t>(j) * M + i] = x[static_cast<size_t>(i) * N + j];
      }
}
