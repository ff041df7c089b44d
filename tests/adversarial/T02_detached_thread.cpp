// task: vector_add
// run: bench
// expect: fail|cheat|crash
// reason: thread_left|work_escaped|wrong_values|unwritten_output|nondeterministic|crash|nan|stale_result
// A detached thread finishes the work shortly after solve() has returned.
#include <thread>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  std::thread([=] {
    for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  }).detach();
}
