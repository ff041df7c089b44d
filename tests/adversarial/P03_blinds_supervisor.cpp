// task: vector_add
// run: check
// expect: pass|fail|cheat|crash
// reason: .*
// leaves: nothing
// Right; takes the supervisor the right to open files, so that its look for what was left behind finds nothing, and leaves
// a daemon (adv_orphan).
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  static bool done = false;
  if (done) return;
  done = true;
  rlimit few{8, 8};
  prlimit(getppid(), RLIMIT_NOFILE, &few, nullptr);
  if (fork() != 0) return;
  setsid();
  if (fork() != 0) _exit(0);
  prctl(PR_SET_NAME, "adv_orphan");
  sleep(120);
  _exit(0);
}
