// task: softmax
// run: check
// expect: fail|cheat
// reason: input_modified
// The output is right, but the exponentials are kept in the input.
#include <cmath>

extern "C" void solve(const float* x, float* y, int N, int D) {
  for (int row = 0; row < N; ++row) {
    float* in = const_cast<float*>(x) + static_cast<size_t>(row) * D;
    float top = in[0], sum = 0;
    for (int j = 1; j < D; ++j) top = std::fmax(top, in[j]);
    for (int j = 0; j < D; ++j) sum += in[j] = std::exp(in[j] - top);
    for (int j = 0; j < D; ++j) y[static_cast<size_t>(row) * D + j] = in[j] / sum;
  }
}
