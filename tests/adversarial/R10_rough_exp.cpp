// task: softmax
// run: check
// expect: fail
// reason: wrong_values|nan
// A cheap exponential (bits of the exponent and a parabola, about 1% off); much of the error cancels in the
// quotient.
#include <cmath>
#include <cstdint>
#include <cstring>

static float rough_exp(float v) {
  float t = v * 1.44269504f;
  if (t < -126) return 0;
  float whole = std::floor(t), f = t - whole;
  uint32_t bits = static_cast<uint32_t>(static_cast<int>(whole) + 127) << 23;
  float power;
  std::memcpy(&power, &bits, 4);
  return power * (1 + f * (0.6565f + f * 0.3435f));
}

extern "C" void solve(const float* x, float* y, int N, int D) {
  for (int row = 0; row < N; ++row) {
    const float* in = x + static_cast<size_t>(row) * D;
    float* out = y + static_cast<size_t>(row) * D;
    float top = in[0], sum = 0;
    for (int j = 1; j < D; ++j) top = std::fmax(top, in[j]);
    for (int j = 0; j < D; ++j) sum += out[j] = rough_exp(in[j] - top);
    for (int j = 0; j < D; ++j) out[j] /= sum;
  }
}
