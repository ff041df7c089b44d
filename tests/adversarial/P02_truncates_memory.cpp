// task: vector_add
// run: check
// expect: pass|fail|cheat|crash
// reason: .*
// Right; makes both shared memories empty, so that whoever looks at what was there is ended by SIGBUS.
#include <unistd.h>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  for (int fd = 5; fd <= 6; ++fd) {
    if (ftruncate(fd, 0) != 0) continue;
  }
}
