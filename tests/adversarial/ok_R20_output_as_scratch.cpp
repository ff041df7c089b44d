// task: softmax
// run: check
// expect: pass
// reason: .*
// Honest: the output holds intermediate values (written before they are read) until the end of the call.
#include <cmath>

extern "C" void solve(const float* x, float* y, int N, int D) {
  for (int row = 0; row < N; ++row) {
    const float* in = x + static_cast<size_t>(row) * D;
    float* out = y + static_cast<size_t>(row) * D;
    float top = in[0], sum = 0;
    for (int j = 1; j < D; ++j) top = std::fmax(top, in[j]);
    for (int j = 0; j < D; ++j) out[j] = in[j] - top;
    for (int j = 0; j < D; ++j) sum += out[j] = std::exp(out[j]);
    for (int j = 0; j < D; ++j) out[j] /= sum;
  }
}
