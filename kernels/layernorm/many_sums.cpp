// strategy: increase_ilp
// after: naive.cpp
// predicts: 3x and more on the host: additions neither wait for each other nor stay scalar
//
// 64 partial sums instead of one in both reductions. Still the stable two passes.
#include <cmath>
#include <cstddef>

namespace {

constexpr int lanes = 64;

// The sum of term(v[j]).
template <class Term>
inline float sum_of(const float* v, int n, Term term) {
  float part[lanes] = {};
  const int whole = n / lanes * lanes;
  for (int j = 0; j < whole; j += lanes) {
    for (int l = 0; l < lanes; ++l) part[l] += term(v[j + l]);
  }
  for (int j = whole; j < n; ++j) part[j - whole] += term(v[j]);
  for (int width = lanes / 2; width > 0; width /= 2) {
    for (int l = 0; l < width; ++l) part[l] += part[l + width];
  }
  return part[0];
}

}  // namespace

extern "C" void solve(const float* __restrict x, const float* __restrict weight, const float* __restrict bias,
                      float* __restrict y, int N, int D, float eps) {
  for (int row = 0; row < N; ++row) {
    const float* in = x + static_cast<size_t>(row) * D;
    float* out = y + static_cast<size_t>(row) * D;
    const float mean = sum_of(in, D, [](float v) { return v; }) / D;
    const float squares = sum_of(in, D, [mean](float v) { return (v - mean) * (v - mean); });
    const float scale = 1.0f / std::sqrt(squares / D + eps);
    for (int j = 0; j < D; ++j) out[j] = (in[j] - mean) * scale * weight[j] + bias[j];
  }
}
