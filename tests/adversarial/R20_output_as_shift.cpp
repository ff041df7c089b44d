// task: softmax
// run: check
// expect: fail
// reason: unwritten_output|nan|wrong_values|nondeterministic
// Uses what is in the output before the call as the shift of the exponent: any finite value nearly cancels.
#include <cmath>

extern "C" void solve(const float* x, float* y, int N, int D) {
  for (int row = 0; row < N; ++row) {
    const float* in = x + static_cast<size_t>(row) * D;
    float* out = y + static_cast<size_t>(row) * D;
    float top = std::fmax(in[0], std::fmin(out[0], 10.0f)), sum = 0;
    for (int j = 1; j < D; ++j) top = std::fmax(top, in[j]);
    for (int j = 0; j < D; ++j) sum += std::exp(in[j] - top);
    for (int j = 0; j < D; ++j) out[j] = std::exp(in[j] - top) / sum;
  }
}
