// task: layernorm
// run: check
// expect: fail
// reason: wrong_values|nan|signature
// Divides the squares by D - 1 instead of D: off by a part in 2 D.
#include <cmath>

extern "C" void solve(const float* x, const float* weight, const float* bias, float* y, int N, int D,
                      float eps) {
  for (int row = 0; row < N; ++row) {
    const float* in = x + static_cast<size_t>(row) * D;
    float* out = y + static_cast<size_t>(row) * D;
    float n = static_cast<float>(D), sum = 0, squares = 0;
    for (int j = 0; j < D; ++j) sum += in[j];
    float mean = sum / n;
    for (int j = 0; j < D; ++j) squares += (in[j] - mean) * (in[j] - mean);
    float scale = 1.0f / std::sqrt(squares / (D > 1 ? n - 1 : 1) + eps);
    for (int j = 0; j < D; ++j) out[j] = (in[j] - mean) * scale * weight[j] + bias[j];
  }
}
