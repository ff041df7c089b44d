// task: softmax
// run: check
// expect: fail|crash
// reason: signature
// One argument too few: D is taken for granted.
#include <cmath>

extern "C" void solve(const float* x, float* y, int N) {
  const int D = 4096;
  for (int row = 0; row < N; ++row) {
    const float* in = x + static_cast<size_t>(row) * D;
    float* out = y + static_cast<size_t>(row) * D;
    float top = in[0], sum = 0;
    for (int j = 1; j < D; ++j) top = std::fmax(top, in[j]);
    for (int j = 0; j < D; ++j) sum += std::exp(in[j] - top);
    for (int j = 0; j < D; ++j) out[j] = std::exp(in[j] - top) / sum;
  }
}
