// task: vector_add
// run: check
// expect: crash|fail|cheat
// reason: exit|process_left|protocol|crash|timeout|forged
// leaves: nothing
// Leaves the process in the first call and lets a child (adv_orphan, own session) hold the pipes open for two
// minutes, so that a supervisor that waits for their end waits too long.
#include <sys/prctl.h>
#include <unistd.h>

extern "C" void solve(const float*, const float*, float*, int) {
  if (fork() == 0) {
    setsid();
    prctl(PR_SET_NAME, "adv_orphan");
    sleep(120);
  }
  _exit(0);
}
