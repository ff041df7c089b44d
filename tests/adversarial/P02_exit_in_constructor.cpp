// task: vector_add
// run: check
// expect: crash|fail|cheat
// reason: protocol|exit|crash|forged|unwritten_output
// Leaves with status 0 as soon as the library is loaded.
#include <unistd.h>

__attribute__((constructor)) static void leave() { _exit(0); }

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
