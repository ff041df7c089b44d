// task: layernorm
// run: check
// expect: fail
// reason: wrong_values|signature|nan
// Does not subtract the mean: nearly right for inputs with mean zero.
#include <cmath>

extern "C" void solve(const float* x, const float* weight, const float* bias, float* y, int N, int D,
                      float eps) {
  for (int row = 0; row < N; ++row) {
    const float* in = x + static_cast<size_t>(row) * D;
    float* out = y + static_cast<size_t>(row) * D;
    float n = static_cast<float>(D), squares = 0;
    for (int j = 0; j < D; ++j) squares += in[j] * in[j];
    float mean = 0, scale = 1.0f / std::sqrt(squares / n + eps);
    for (int j = 0; j < D; ++j) out[j] = (in[j] - mean) * scale * weight[j] + bias[j];
  }
}
