// task: softmax
// run: check
// expect: fail
// reason: wrong_values|nan
// Softmax without the maximum whose exponents are clamped to 80, so that nothing overflows and no NaN shows.
#include <cmath>

extern "C" void solve(const float* x, float* y, int N, int D) {
  for (int row = 0; row < N; ++row) {
    const float* in = x + static_cast<size_t>(row) * D;
    float* out = y + static_cast<size_t>(row) * D;
    double sum = 0;
    for (int j = 0; j < D; ++j) sum += out[j] = std::exp(std::fmin(in[j], 80.0f));
    for (int j = 0; j < D; ++j) out[j] = sum > 0 ? static_cast<float>(out[j] / sum) : 0;
  }
}
