// task: gemm_f32
// run: check
// expect: fail
// reason: unwritten_output|wrong_values|nan|nondeterministic
// Adds to the output without clearing it: right where a harness hands over zeros.
#include <cstddef>

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  size_t n = N, k = K;
  for (size_t i = 0; i < static_cast<size_t>(M); ++i)
    for (size_t q = 0; q < k; ++q)
      for (size_t j = 0; j < n; ++j) C[i * n + j] += A[i * k + q] * B[q * n + j];
}
