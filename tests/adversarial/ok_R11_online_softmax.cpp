// task: softmax
// run: check
// expect: pass
// reason: .*
// Honest: one pass keeps a running maximum and rescales the sum, so terms are rounded otherwise than in three
// passes.
#include <cmath>

extern "C" void solve(const float* x, float* y, int N, int D) {
  for (int row = 0; row < N; ++row) {
    const float* in = x + static_cast<size_t>(row) * D;
    float* out = y + static_cast<size_t>(row) * D;
    float top = in[0], sum = 1;
    for (int j = 1; j < D; ++j) {
      float higher = std::fmax(top, in[j]);
      sum = sum * std::exp(top - higher) + std::exp(in[j] - higher);
      top = higher;
    }
    float scale = 1 / sum;
    for (int j = 0; j < D; ++j) out[j] = std::exp(in[j] - top) * scale;
  }
}
