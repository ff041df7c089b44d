// Row times column, each factor widened where it is used; the sum is rounded once.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

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

extern "C" void solve(const std::uint16_t* A, const std::uint16_t* B, std::uint16_t* C, int M, int N, int K) {
  for (int i = 0; i < M; ++i) {
    for (int j = 0; j < N; ++j) {
      float sum = 0;
      for (int k = 0; k < K; ++k)
        sum += widen(A[static_cast<size_t>(i) * K + k]) * widen(B[static_cast<size_t>(k) * N + j]);
      C[static_cast<size_t>(i) * N + j] = narrow(sum);
    }
  }
}
