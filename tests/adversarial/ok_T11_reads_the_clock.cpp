// task: vector_add
// run: bench
// expect: pass
// shape: N=262144
// Honest: looks at the clock in each call, for a log of its own.
#include <algorithm>
#include <chrono>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  static std::chrono::nanoseconds longest{0};
  longest = std::max(longest, std::chrono::nanoseconds(std::chrono::steady_clock::now() - start));
}
