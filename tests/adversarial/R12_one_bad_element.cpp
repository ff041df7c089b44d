// task: gemm_f32
// run: check
// expect: fail
// reason: wrong_values|nan
// One element of a product of 64 rows or more misses its last term.
#include <cstddef>

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  size_t n = N, k = K;
  for (size_t i = 0; i < static_cast<size_t>(M); ++i)
    for (size_t j = 0; j < n; ++j) {
      bool bad = M >= 64 && i == static_cast<size_t>(M) / 2 && j == n / 2;
      float sum = 0;
      for (size_t q = 0; q + bad < k; ++q) sum += A[i * k + q] * B[q * n + j];
      C[i * n + j] = sum;
    }
}
