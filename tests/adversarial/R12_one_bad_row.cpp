// task: softmax
// run: check
// expect: fail
// reason: wrong_values|nan
// One row in the middle of 32 or more is 2% too large; a norm over the whole matrix hardly shows it.
#include <cmath>

extern "C" void solve(const float* x, float* y, int N, int D) {
  for (int row = 0; row < N; ++row) {
    const float* in = x + static_cast<size_t>(row) * D;
    float* out = y + static_cast<size_t>(row) * D;
    float top = in[0], sum = 0;
    for (int j = 1; j < D; ++j) top = std::fmax(top, in[j]);
    for (int j = 0; j < D; ++j) sum += std::exp(in[j] - top);
    if (N >= 32 && row == N / 2) sum *= 0.98f;
    for (int j = 0; j < D; ++j) out[j] = std::exp(in[j] - top) / sum;
  }
}
