// task: gemm_f32
// run: check
// expect: fail
// reason: wrong_values|nan
// Inputs rounded to 20 bits: a product of single elements is right by chance half of the time. Whichever call shows
// it, that is a lack of precision and nothing kept from before.
#include <cstdint>
#include <cstring>

static float twenty(float v) {
  uint32_t bits;
  std::memcpy(&bits, &v, 4);
  bits = (bits + 7 + (bits >> 4 & 1)) & ~0xFu;
  std::memcpy(&v, &bits, 4);
  return v;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  size_t m = M, n = N, k = K;
  for (size_t i = 0; i < m * n; ++i) C[i] = 0;
  for (size_t i = 0; i < m; ++i)
    for (size_t q = 0; q < k; ++q)
      for (size_t j = 0; j < n; ++j) C[i * n + j] += twenty(A[i * k + q]) * twenty(B[q * n + j]);
}
