// strategy: vectorized_access
// after: naive.cpp
// predicts: 5x and more with AVX2: all three loops become vector code, each exp is computed once
//
// exp as a polynomial without branches, and 16 partial maxima and sums, so that the compiler vectorises all
// three loops; libm's exp and one running sum keep it from doing so.
#include <cstdint>
#include <cstring>

namespace {

constexpr int lanes = 16;
constexpr float smallest = -87.3366f;  // its exp is just below the smallest normal number

// exp for v <= 0 within 1 unit in the last place; 0 where the result would be subnormal.
inline float exp_negative(float v) {
  float clipped = v < smallest ? smallest : v;
  float shifted = clipped * 1.44269504f + 12582912.0f;  // 1.5 * 2^23: the integer ends up in the low bits
  float n = shifted - 12582912.0f;
  float r = clipped - n * 0.693359375f;
  r -= n * -2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  std::int32_t bits = (static_cast<std::int32_t>(n) + 127) << 23;
  float power;
  std::memcpy(&power, &bits, sizeof power);
  return v < smallest ? 0.0f : p * power;
}

}  // namespace

extern "C" void solve(const float* __restrict x, float* __restrict y, int N, int D) {
  const int whole = D / lanes * lanes;
  for (int row = 0; row < N; ++row) {
    const float* in = x + static_cast<std::size_t>(row) * D;
    float* out = y + static_cast<std::size_t>(row) * D;
    float tops[lanes], sums[lanes];
    for (int l = 0; l < lanes; ++l) tops[l] = in[0], sums[l] = 0;
    for (int j = 0; j < whole; j += lanes) {
      for (int l = 0; l < lanes; ++l) tops[l] = in[j + l] > tops[l] ? in[j + l] : tops[l];
    }
    float top = tops[0];
    for (int l = 1; l < lanes; ++l) top = tops[l] > top ? tops[l] : top;
    for (int j = whole; j < D; ++j) top = in[j] > top ? in[j] : top;

    for (int j = 0; j < D; ++j) out[j] = exp_negative(in[j] - top);
    for (int j = 0; j < whole; j += lanes) {
      for (int l = 0; l < lanes; ++l) sums[l] += out[j + l];
    }
    float sum = 0;
    for (int l = 0; l < lanes; ++l) sum += sums[l];
    for (int j = whole; j < D; ++j) sum += out[j];
    for (int j = 0; j < D; ++j) out[j] /= sum;
  }
}
