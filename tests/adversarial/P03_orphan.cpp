// task: vector_add
// run: check
// expect: pass|fail|cheat|crash
// reason: .*
// leaves: nothing
// Right; leaves a child in a session of its own that keeps the runner's pipes open for two minutes. The child
// is called adv_orphan. A supervisor must neither wait for it nor leave it behind.
#include <sys/prctl.h>
#include <unistd.h>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static bool started = false;
  if (!started && fork() == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    prctl(PR_SET_NAME, "adv_orphan");
    sleep(120);
    _exit(0);
  }
  started = true;
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
