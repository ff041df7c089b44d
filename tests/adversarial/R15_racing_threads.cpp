// task: reduction
// run: check
// expect: fail|cheat
// reason: wrong_values|nondeterministic|signature|nan|unwritten_output|stale_result
// Two threads add to the same element without any lock, and lose updates.
#include <thread>

extern "C" void solve(const float* x, float* y, float*, int N) {
  volatile float* sum = y;
  *sum = 0;
  auto add = [=](int begin, int end) {
    for (int i = begin; i < end; ++i) *sum = *sum + x[i];
  };
  std::thread other(add, 0, N / 2);
  add(N / 2, N);
  other.join();
}
