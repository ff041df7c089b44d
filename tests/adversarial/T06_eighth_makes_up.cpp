// task: vector_add
// run: bench
// expect: pass
// never: keep
// Right in every call, and on average as slow as the baseline: every eighth call takes the time that the others save, which
// a median never shows.
#include <chrono>
#include <thread>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static int calls = 0;
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  if (N > 100000 && ++calls % 4 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(80));
}
