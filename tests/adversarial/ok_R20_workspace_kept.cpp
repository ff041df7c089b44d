// task: gemm_f32
// run: check
// expect: pass
// reason: .*
// Honest: the room for a transposed copy of B is kept across calls, its contents are made anew in each.
#include <cstddef>
#include <vector>

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  static std::vector<float> T;
  size_t m = M, n = N, k = K;
  if (T.size() < n * k) T.resize(n * k);
  for (size_t q = 0; q < k; ++q)
    for (size_t j = 0; j < n; ++j) T[j * k + q] = B[q * n + j];
  for (size_t i = 0; i < m; ++i)
    for (size_t j = 0; j < n; ++j) {
      float sum = 0;
      for (size_t q = 0; q < k; ++q) sum += A[i * k + q] * T[j * k + q];
      C[i * n + j] = sum;
    }
}
