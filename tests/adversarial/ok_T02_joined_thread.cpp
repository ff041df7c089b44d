// task: vector_add
// run: bench
// expect: pass
// shape: N=262144
// reason: .*
// Honest: half of the work in a thread that is joined before the call returns.
#include <thread>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  std::thread upper([=] {
    for (int i = N / 2; i < N; ++i) z[i] = x[i] + y[i];
  });
  for (int i = 0; i < N / 2; ++i) z[i] = x[i] + y[i];
  upper.join();
}
