// task: softmax
// run: check
// expect: fail
// reason: wrong_values|nan
// Softmax without subtracting the maximum: right until an exponential overflows.
#include <cmath>

extern "C" void solve(const float* x, float* y, int N, int D) {
  for (int row = 0; row < N; ++row) {
    const float* in = x + static_cast<size_t>(row) * D;
    float* out = y + static_cast<size_t>(row) * D;
    float sum = 0;
    for (int j = 0; j < D; ++j) sum += out[j] = std::exp(in[j]);
    for (int j = 0; j < D; ++j) out[j] /= sum;
  }
}
