// task: vector_add
// run: bench
// expect: fail|cheat
// reason: wrong_values|unwritten_output|stale_result|nondeterministic|too_fast|nan
// Looks at the clock instead of counting calls: one second after the first call it starts to skip the last
// quarter.
#include <chrono>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  using Clock = std::chrono::steady_clock;
  static const Clock::time_point first = Clock::now();
  bool lazy = Clock::now() - first > std::chrono::seconds(1);
  for (int i = 0; i < (lazy ? N - N / 4 - 1 : N); ++i) z[i] = x[i] + y[i];
}
