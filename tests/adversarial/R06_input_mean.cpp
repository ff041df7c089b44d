// task: vector_add
// run: check
// expect: fail
// reason: wrong_values|nan
// Every element is the mean of the true result.
#include <algorithm>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  double sum = 0;
  for (int i = 0; i < N; ++i) sum += static_cast<double>(x[i]) + y[i];
  std::fill(z, z + N, static_cast<float>(sum / N));
}
