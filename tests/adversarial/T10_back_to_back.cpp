// task: vector_add
// run: bench
// expect: fail|cheat
// reason: wrong_values|unwritten_output|stale_result|too_fast|nondeterministic|nan
// Takes a call that comes within 3 ms after the last one for a timed one and skips most of it; checks take
// longer.
#include <chrono>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  using Clock = std::chrono::steady_clock;
  static Clock::time_point last;
  bool timed = N >= 1 << 16 && Clock::now() - last < std::chrono::milliseconds(3);
  for (int i = 0; i < (timed ? N / 8 : N); ++i) z[i] = x[i] + y[i];
  last = Clock::now();
}
