// task: vector_add
// run: bench
// expect: fail|cheat|crash|pass
// reason: .*
// never: keep
// Right, with the baseline's code; after its work it lowers the priority of its thread and binds it to one
// core, so that the passes of the baseline run under worse conditions than its own first ones.
#include <sched.h>
#include <sys/resource.h>

// The baseline's own loop.
static void add(const float* x, const float* y, float* z, int N) {
  for (int t = 0; t < 8; ++t) {
    for (long long i = t; i < N; i += 8) z[i] = x[i] + y[i];
  }
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add(x, y, z, N);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  sched_setaffinity(0, sizeof one, &one);
  setpriority(PRIO_PROCESS, 0, 19);
}
