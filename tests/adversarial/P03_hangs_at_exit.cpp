// task: vector_add
// run: check
// expect: pass|crash|fail
// reason: timeout|exit|crash
// Right, but never finishes unloading.
#include <unistd.h>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}

__attribute__((destructor)) static void hang() {
  for (;;) usleep(100000);
}
