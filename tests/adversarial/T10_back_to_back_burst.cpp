// task: vector_add
// run: bench
// expect: fail|cheat
// reason: wrong_values|unwritten_output|stale_result|nondeterministic|too_fast|nan
// Right in every call but those that follow another one within a tenth of a millisecond: calls back to back, whose outputs a
// careless harness throws away.
#include <chrono>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  using Clock = std::chrono::steady_clock;
  static Clock::time_point last{};
  auto start = Clock::now();
  bool right_after = N > 100000 && start - last < std::chrono::microseconds(100);
  for (int i = 0; i < (right_after ? N / 2 : N); ++i) z[i] = x[i] + y[i];
  last = Clock::now();
}
