// task: gemm_f32
// run: check
// expect: fail
// reason: wrong_values|nan
// Keeps 11 significant bits of each input (as TF32 tensor cores do) and adds up in float.
#include <cstdint>
#include <cstring>
#include <vector>

static std::vector<float> rounded(const float* p, size_t n) {
  std::vector<float> r(n);
  for (size_t i = 0; i < n; ++i) {
    uint32_t bits;
    std::memcpy(&bits, &p[i], 4);
    bits = (bits + 0x1000) & ~0x1FFFu;
    std::memcpy(&r[i], &bits, 4);
  }
  return r;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  size_t m = M, n = N, k = K;
  std::vector<float> a = rounded(A, m * k), b = rounded(B, k * n);
  for (size_t i = 0; i < m * n; ++i) C[i] = 0;
  for (size_t i = 0; i < m; ++i)
    for (size_t q = 0; q < k; ++q)
      for (size_t j = 0; j < n; ++j) C[i * n + j] += a[i * k + q] * b[q * n + j];
}
