// task: vector_add
// run: check
// expect: pass
// Honest: works on a copy of an input, and leaves the input alone.
#include <vector>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  std::vector<float> sum(x, x + N);
  for (int i = 0; i < N; ++i) sum[i] += y[i];
  for (int i = 0; i < N; ++i) z[i] = sum[i];
}
