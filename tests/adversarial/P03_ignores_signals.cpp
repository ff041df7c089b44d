// task: vector_add
// run: check
// expect: crash|fail
// reason: timeout
// Blocks every signal that can be blocked, moves to a process group of its own and never returns.
#include <signal.h>
#include <unistd.h>

extern "C" void solve(const float*, const float*, float*, int) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  setpgid(0, 0);
  for (;;) usleep(100000);
}
