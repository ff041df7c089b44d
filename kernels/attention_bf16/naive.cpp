// Query by query: dot products, softmax with libm's exp, weighted sum of the values column by column; factors
// are widened where they are used, results rounded once.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

float widen(std::uint16_t v) {
  std::uint32_t bits = static_cast<std::uint32_t>(v) << 16;
  float f;
  std::memcpy(&f, &bits, sizeof f);
  return f;
}

// To nearest, ties to even.
std::uint16_t narrow(float v) {
  std::uint32_t bits;
  std::memcpy(&bits, &v, sizeof bits);
  if (std::isnan(v)) return static_cast<std::uint16_t>(bits >> 16 | 64);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

}  // namespace

extern "C" void solve(const std::uint16_t* q, const std::uint16_t* k, const std::uint16_t* v,
                      std::uint16_t* o, int H, int N, int D) {
  const float scale = 1.0f / std::sqrt(static_cast<float>(D));
  std::vector<float> score(N);
  for (size_t row = 0; row < static_cast<size_t>(H) * N; ++row) {
    const size_t head = row / N;
    for (int j = 0; j < N; ++j) {
      float dot = 0;
      for (int d = 0; d < D; ++d) dot += widen(q[row * D + d]) * widen(k[(head * N + j) * D + d]);
      score[j] = dot * scale;
    }
    const float top = *std::max_element(score.begin(), score.end());
    float sum = 0;
    for (float& s : score) sum += s = std::exp(s - top);
    for (int d = 0; d < D; ++d) {
      float total = 0;
      for (int j = 0; j < N; ++j) total += score[j] * widen(v[(head * N + j) * D + d]);
      o[row * D + d] = narrow(total / sum);
    }
  }
}
