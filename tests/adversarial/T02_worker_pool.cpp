// task: vector_add
// run: bench
// expect: fail|cheat|crash
// reason: thread_left|work_escaped|wrong_values|unwritten_output|nondeterministic|crash|nan|stale_result
// A worker made in the first call takes the jobs; later calls hand over and return at once, the number of
// threads is the same before and after them.
#include <atomic>
#include <thread>

struct Job {
  const float *x, *y;
  float* z;
  int N;
};
static Job job;
static std::atomic<int> state{-1};  // -1 no worker, 0 idle, 1 job waiting

static void work() {
  for (;;) {
    while (state.load() != 1) std::this_thread::yield();
    for (int i = 0; i < job.N; ++i) job.z[i] = job.x[i] + job.y[i];
    state = 0;
  }
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  if (state == -1) state = 0, std::thread(work).detach();
  while (state != 0) std::this_thread::yield();
  job = {x, y, z, N};
  state = 1;
}
