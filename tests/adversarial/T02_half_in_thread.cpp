// task: vector_add
// run: bench
// expect: fail|cheat|crash
// reason: thread_left|work_escaped|wrong_values|unwritten_output|nondeterministic|crash|nan|stale_result
// Does the first half itself and leaves the second half to a detached thread, which mostly ends soon after
// the call.
#include <thread>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  std::thread([=] {
    for (int i = N / 2; i < N; ++i) z[i] = x[i] + y[i];
  }).detach();
  for (int i = 0; i < N / 2; ++i) z[i] = x[i] + y[i];
}
