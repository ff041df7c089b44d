// task: gemm_f32
// run: bench
// expect: fail
// reason: wrong_values|nan
// Right for small products; above a hundred rows the last eighth of the terms is left out.
#include <cstddef>

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  size_t n = N, k = K, end = M > 100 ? k - k / 8 : k;
  for (size_t i = 0; i < static_cast<size_t>(M); ++i)
    for (size_t j = 0; j < n; ++j) {
      float sum = 0;
      for (size_t q = 0; q < end; ++q) sum += A[i * k + q] * B[q * n + j];
      C[i * n + j] = sum;
    }
}
