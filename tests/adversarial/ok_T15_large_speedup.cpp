// task: gemm_f32
// run: bench
// expect: pass
// reason: .*
// Honest and many times faster than three plain loops: tiles of 4 x 16 in vector registers.
#include <cstddef>
#include <cstring>

typedef float Vector __attribute__((vector_size(16)));

static void tile(const float* A, const float* B, float* C, size_t n, size_t k) {
  Vector sum[4][4] = {};
  for (size_t q = 0; q < k; ++q) {
    Vector b[4];
    std::memcpy(b, B + q * n, sizeof b);
    for (int i = 0; i < 4; ++i)
      for (int v = 0; v < 4; ++v) sum[i][v] += A[i * k + q] * b[v];
  }
  for (int i = 0; i < 4; ++i) std::memcpy(C + i * n, sum[i], sizeof sum[i]);
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  size_t m = M, n = N, k = K;
  for (size_t j = 0; j < n; j += 16)
    for (size_t i = 0; i < m; i += 4) {
      if (i + 4 <= m && j + 16 <= n) {
        tile(A + i * k, B + j, C + i * n + j, n, k);
        continue;
      }
      for (size_t r = i; r < m && r < i + 4; ++r)
        for (size_t c = j; c < n && c < j + 16; ++c) {
          float sum = 0;
          for (size_t q = 0; q < k; ++q) sum += A[r * k + q] * B[q * n + c];
          C[r * n + c] = sum;
        }
    }
}
