// task: vector_add
// run: check
// expect: pass
// reason: .*
// Honest: prints some hundred kilobytes on both standard streams in each of its first calls, among them words
// that sound like failures.
#include <cstdio>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static int calls = 0;
  for (int line = 0; calls < 5 && line < 2000; ++line) {
    std::printf("line %d: FAIL error NaN {\"ok\":false} max error 1e9\n", line);
    std::fprintf(stderr, "line %d: crash, timeout, CUDA error: an illegal memory access\n", line);
  }
  ++calls;
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
