// task: vector_add
// run: check
// expect: crash|fail|pass
// reason: crash|unwritten_output|exit
// Right, but asks the process above it (the supervisor, if it can reach it) to stop with SIGTERM and its
// group with SIGINT.
#include <signal.h>
#include <unistd.h>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  if (getppid() > 1) kill(getppid(), SIGTERM);
  if (getpgid(0) == getpid()) kill(0, SIGINT);  // only where the group is the runner's own
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
