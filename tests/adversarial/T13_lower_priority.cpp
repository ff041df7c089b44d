// task: vector_add
// run: bench
// expect: fail|cheat|crash|pass
// reason: .*
// never: keep
// Right, with plain code; after its work it lowers the priority of every thread of the process and binds them to one
// core, so that the passes of the baseline run under worse conditions than its own first ones.
#include <sched.h>
#include <sys/resource.h>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  sched_setaffinity(0, sizeof one, &one);
  setpriority(PRIO_PROCESS, 0, 19);
}
