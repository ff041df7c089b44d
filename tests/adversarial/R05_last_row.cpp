// task: softmax
// run: check
// expect: fail
// reason: unwritten_output|wrong_values|nan
// Leaves out the last row of an odd number of rows.
#include <cmath>

extern "C" void solve(const float* x, float* y, int N, int D) {
  for (int row = 0; row < (N > 1 ? N / 2 * 2 : N); ++row) {
    const float* in = x + static_cast<size_t>(row) * D;
    float* out = y + static_cast<size_t>(row) * D;
    float top = in[0], sum = 0;
    for (int j = 1; j < D; ++j) top = std::fmax(top, in[j]);
    for (int j = 0; j < D; ++j) sum += std::exp(in[j] - top);
    for (int j = 0; j < D; ++j) out[j] = std::exp(in[j] - top) / sum;
  }
}
