// task: vector_add
// run: check
// expect: pass|crash
// reason: protocol|exit|crash
// Right; leaves with status 0 when the library is unloaded or the process ends, before anything that comes
// after.
#include <unistd.h>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}

__attribute__((destructor)) static void leave() { _exit(0); }
