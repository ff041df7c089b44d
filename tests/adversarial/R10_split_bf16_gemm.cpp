// task: gemm_f32
// run: check
// expect: fail
// reason: wrong_values|nan
// Two bfloat16 parts of each input but without the product of the small parts' rounding: about 16 bits, near
// to right.
#include <cstdint>
#include <cstring>
#include <vector>

static float bf16(float v) {
  uint32_t bits;
  std::memcpy(&bits, &v, 4);
  bits = (bits + 0x7FFF + (bits >> 16 & 1)) & ~0xFFFFu;
  std::memcpy(&v, &bits, 4);
  return v;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  size_t m = M, n = N, k = K;
  std::vector<float> high(k * n), low(k * n);
  for (size_t i = 0; i < k * n; ++i) high[i] = bf16(B[i]), low[i] = bf16(B[i] - high[i]);
  for (size_t i = 0; i < m * n; ++i) C[i] = 0;
  for (size_t i = 0; i < m; ++i)
    for (size_t q = 0; q < k; ++q) {
      float a = bf16(A[i * k + q]), rest = bf16(A[i * k + q] - a);
      for (size_t j = 0; j < n; ++j)
        C[i * n + j] += a * high[q * n + j] + (a * low[q * n + j] + rest * high[q * n + j]);
    }
}
