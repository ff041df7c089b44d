// task: layernorm
// run: check
// expect: fail
// reason: wrong_values|nan|signature
// Variance as E[x^2] - E[x]^2 in one pass, which cancels where the mean is large.
#include <cmath>

extern "C" void solve(const float* x, const float* weight, const float* bias, float* y, int N, int D,
                      float eps) {
  for (int row = 0; row < N; ++row) {
    const float* in = x + static_cast<size_t>(row) * D;
    float* out = y + static_cast<size_t>(row) * D;
    float n = static_cast<float>(D), sum = 0, squares = 0;
    for (int j = 0; j < D; ++j) sum += in[j], squares += in[j] * in[j];
    float mean = sum / n, scale = 1.0f / std::sqrt(std::fmax(squares / n - mean * mean, 0.0f) + eps);
    for (int j = 0; j < D; ++j) out[j] = (in[j] - mean) * scale * weight[j] + bias[j];
  }
}
