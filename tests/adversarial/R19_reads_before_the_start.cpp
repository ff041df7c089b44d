// task: softmax
// run: check
// expect: fail|crash
// reason: nan|wrong_values|sanitizer|nondeterministic|crash
// The search for the maximum starts one element early, which for the first row lies before the buffer.
#include <cmath>

extern "C" void solve(const float* x, float* y, int N, int D) {
  for (int row = 0; row < N; ++row) {
    const float* in = x + static_cast<size_t>(row) * D;
    float* out = y + static_cast<size_t>(row) * D;
    float top = in[-1], sum = 0;
    for (int j = 0; j < D; ++j) top = in[j] > top ? in[j] : top;
    for (int j = 0; j < D; ++j) sum += std::exp(in[j] - top);
    for (int j = 0; j < D; ++j) out[j] = std::exp(in[j] - top) / sum;
  }
}
