// task: softmax
// run: check
// expect: fail
// reason: wrong_values|nan
// Estimates the denominator of rows longer than 1024 from every fourth element.
#include <cmath>

extern "C" void solve(const float* x, float* y, int N, int D) {
  for (int row = 0; row < N; ++row) {
    const float* in = x + static_cast<size_t>(row) * D;
    float* out = y + static_cast<size_t>(row) * D;
    float top = in[0], sum = 0;
    for (int j = 1; j < D; ++j) top = std::fmax(top, in[j]);
    int step = D > 1024 ? 4 : 1, count = 0;
    for (int j = 0; j < D; j += step) sum += std::exp(in[j] - top), ++count;
    sum *= static_cast<float>(D) / static_cast<float>(count);
    for (int j = 0; j < D; ++j) out[j] = std::exp(in[j] - top) / sum;
  }
}
