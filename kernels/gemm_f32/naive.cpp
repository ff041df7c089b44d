// Row times column: one running sum, and a stride of N through B.
#include <cstddef>

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  for (int i = 0; i < M; ++i) {
    for (int j = 0; j < N; ++j) {
      float sum = 0;
      for (int k = 0; k < K; ++k)
        sum += A[static_cast<size_t>(i) * K + k] * B[static_cast<size_t>(k) * N + j];
      C[static_cast<size_t>(i) * N + j] = sum;
    }
  }
}
