// task: gemm_f32
// run: check
// expect: fail
// reason: wrong_values|nan
// Adds up every second term and doubles the sum, which is the right order of magnitude.
#include <cstddef>

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  size_t n = N, k = K;
  for (size_t i = 0; i < static_cast<size_t>(M); ++i) {
    for (size_t j = 0; j < n; ++j) {
      float sum = 0;
      for (size_t q = 0; q < k; q += 2) sum += A[i * k + q] * B[q * n + j];
      C[i * n + j] = K > 1 ? 2 * sum : sum;
    }
  }
}
