// task: vector_add
// run: check
// expect: crash|fail|cheat
// reason: protocol|exit|crash|timeout|forged
// Right, but closes all file descriptors: nobody can report anything any more.
#include <unistd.h>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  for (int fd = 0; fd < 1024; ++fd) close(fd);
}
