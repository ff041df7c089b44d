// Strategies vectorized_access, precompute_invariants: the keys of a head are transposed once, so that scores
// of neighbouring keys, their exp (a polynomial) and the columns of the result are independent lanes of
// vector code.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

constexpr int lanes = 16;
constexpr float smallest = -87.3366f;  // its exp is just below the smallest normal number

// exp for v <= 0 within 1 unit in the last place; 0 where the result would be subnormal.
inline float exp_negative(float v) {
  float clipped = v < smallest ? smallest : v;
  float shifted = clipped * 1.44269504f + 12582912.0f;  // 1.5 * 2^23: rounds to an integer
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

constexpr int block = 32;  // columns that are summed up in registers

// out[c] = sum over r < rows of factor[r] * m[r][c], for all columns.
void weighted_sum(float* __restrict out, const float* __restrict factor, const float* __restrict m, int rows,
                  int columns) {
  int c = 0;
  for (; c + block <= columns; c += block) {
    float sum[block] = {};
    for (int r = 0; r < rows; ++r) {
      const float* from = m + static_cast<size_t>(r) * columns + c;
      for (int l = 0; l < block; ++l) sum[l] += factor[r] * from[l];
    }
    for (int l = 0; l < block; ++l) out[c + l] = sum[l];
  }
  float sum[block] = {};
  for (int r = 0; r < rows; ++r) {
    const float* from = m + static_cast<size_t>(r) * columns + c;
    for (int l = 0; l < columns - c; ++l) sum[l] += factor[r] * from[l];
  }
  for (int l = 0; l < columns - c; ++l) out[c + l] = sum[l];
}

}  // namespace

extern "C" void solve(const float* q, const float* k, const float* v, float* o, int H, int N, int D) {
  const float scale = 1.0f / std::sqrt(static_cast<float>(D));
  std::vector<float> columns(static_cast<size_t>(N) * D), scores(N);
  float* score = scores.data();
  for (int h = 0; h < H; ++h) {
    const size_t head = static_cast<size_t>(h) * N * D;
    for (int j = 0; j < N; ++j) {
      for (int d = 0; d < D; ++d)
        columns[static_cast<size_t>(d) * N + j] = k[head + static_cast<size_t>(j) * D + d];
    }
    for (int i = 0; i < N; ++i) {
      const float* query = q + head + static_cast<size_t>(i) * D;
      float* out = o + head + static_cast<size_t>(i) * D;
      weighted_sum(score, query, columns.data(), D, N);
      const int whole = N / lanes * lanes;
      float tops[lanes], sums[lanes] = {};
      for (int l = 0; l < lanes; ++l) tops[l] = -INFINITY;
      for (int j = 0; j < N; ++j) score[j] *= scale;
      for (int j = 0; j < whole; j += lanes) {
        for (int l = 0; l < lanes; ++l) tops[l] = score[j + l] > tops[l] ? score[j + l] : tops[l];
      }
      for (int j = whole; j < N; ++j)
        tops[j - whole] = score[j] > tops[j - whole] ? score[j] : tops[j - whole];
      float top = tops[0];
      for (int l = 1; l < lanes; ++l) top = tops[l] > top ? tops[l] : top;
      for (int j = 0; j < N; ++j) score[j] = exp_negative(score[j] - top);
      for (int j = 0; j < whole; j += lanes) {
        for (int l = 0; l < lanes; ++l) sums[l] += score[j + l];
      }
      for (int j = whole; j < N; ++j) sums[j - whole] += score[j];
      for (int width = lanes / 2; width > 0; width /= 2) {
        for (int l = 0; l < width; ++l) sums[l] += sums[l + width];
      }
      weighted_sum(out, score, v + head, N, D);
      for (int d = 0; d < D; ++d) out[d] /= sums[0];
    }
  }
}
