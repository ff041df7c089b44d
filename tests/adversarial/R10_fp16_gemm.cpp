// task: gemm_f32
// run: check
// expect: fail
// reason: wrong_values|nan
// Rounds the inputs of the product to half precision and adds up in float.
#include <cstddef>
#include <vector>

static std::vector<float> halves(const float* p, size_t n) {
  std::vector<float> r(n);
  for (size_t i = 0; i < n; ++i) r[i] = static_cast<float>(static_cast<_Float16>(p[i]));
  return r;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  size_t m = M, n = N, k = K;
  std::vector<float> a = halves(A, m * k), b = halves(B, k * n);
  for (size_t i = 0; i < m * n; ++i) C[i] = 0;
  for (size_t i = 0; i < m; ++i)
    for (size_t q = 0; q < k; ++q)
      for (size_t j = 0; j < n; ++j) C[i * n + j] += a[i * k + q] * b[q * n + j];
}
