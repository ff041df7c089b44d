// strategy: increase_ilp
// after: naive.cpp
// predicts: 3x and more on the host: additions neither wait for each other nor stay scalar
//
// 64 partial sums instead of one, so that additions neither wait for each other nor stay scalar.
#include <cmath>
#include <cstddef>

namespace {

constexpr int lanes = 64;

float sum_of_squares(const float* v, int n) {
  float part[lanes] = {};
  const int whole = n / lanes * lanes;
  for (int j = 0; j < whole; j += lanes) {
    for (int l = 0; l < lanes; ++l) part[l] += v[j + l] * v[j + l];
  }
  for (int j = whole; j < n; ++j) part[j - whole] += v[j] * v[j];
  for (int width = lanes / 2; width > 0; width /= 2) {
    for (int l = 0; l < width; ++l) part[l] += part[l + width];
  }
  return part[0];
}

}  // namespace

extern "C" void solve(const float* __restrict x, const float* __restrict weight, float* __restrict y, int N,
                      int D, float eps) {
  for (int row = 0; row < N; ++row) {
    const float* in = x + static_cast<size_t>(row) * D;
    float* out = y + static_cast<size_t>(row) * D;
    const float scale = 1.0f / std::sqrt(sum_of_squares(in, D) / D + eps);
    for (int j = 0; j < D; ++j) out[j] = in[j] * scale * weight[j];
  }
}
