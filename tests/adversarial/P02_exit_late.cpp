// task: vector_add
// run: bench
// expect: crash|fail|cheat
// reason: protocol|exit|crash|unwritten_output
// Leaves with status 0 in the fortieth call, when its results have been found right.
#include <unistd.h>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static int calls = 0;
  if (++calls == 40) _exit(0);
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
