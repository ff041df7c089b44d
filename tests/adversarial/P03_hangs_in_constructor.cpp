// task: vector_add
// run: check
// expect: crash|fail
// reason: timeout
// Never finishes loading.
#include <unistd.h>

__attribute__((constructor)) static void hang() {
  for (;;) usleep(100000);
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
