// task: vector_add
// run: bench
// expect: fail|cheat|pass
// reason: .*
// never: keep
// Right at every call, but sleeps in the first twelve so that an estimate made in the warm-up plans few samples.
#include <unistd.h>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static int calls = 0;
  if (calls++ < 12) usleep(20000);
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
