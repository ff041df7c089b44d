// task: softmax
// run: check
// expect: pass
// reason: .*
// Honest: computes in double and rounds once, which differs from the plain float kernel in the last bits.
#include <cmath>

extern "C" void solve(const float* x, float* y, int N, int D) {
  for (int row = 0; row < N; ++row) {
    const float* in = x + static_cast<size_t>(row) * D;
    float* out = y + static_cast<size_t>(row) * D;
    double top = in[0], sum = 0;
    for (int j = 1; j < D; ++j) top = std::fmax(top, in[j]);
    for (int j = 0; j < D; ++j) sum += std::exp(in[j] - top);
    for (int j = 0; j < D; ++j) out[j] = static_cast<float>(std::exp(in[j] - top) / sum);
  }
}
