// task: vector_add
// run: bench
// expect: fail|cheat|pass
// reason: .*
// never: keep
// Right at every call, but sleeps in the first twelve so that an estimate made in the warm-up plans few
// samples.
#include <unistd.h>

// The baseline's own loop.
static void add(const float* x, const float* y, float* z, int N) {
  for (int t = 0; t < 8; ++t) {
    for (long long i = t; i < N; i += 8) z[i] = x[i] + y[i];
  }
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static int calls = 0;
  if (calls++ < 12) usleep(20000);
  add(x, y, z, N);
}
