// task: vector_add
// run: bench
// expect: fail|cheat
// reason: work_escaped|thread_left|wrong_values|unwritten_output|nondeterministic|nan|stale_result
// Starts a thread and joins it only at the next call, so that each call returns before its own work is done.
#include <thread>

static std::thread worker;

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  if (worker.joinable()) worker.join();
  worker = std::thread([=] {
    for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  });
}

__attribute__((destructor)) static void finish() {
  if (worker.joinable()) worker.join();
}
