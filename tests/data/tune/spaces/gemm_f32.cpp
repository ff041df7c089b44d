// A product by tiles of the inner dimension, the loops over rows and columns in one of two orders.
// tune: TILE 8 32 128
// tune: ROWS 1 2 4
// tune: BY_COLUMN 0 1
#ifndef TILE
#define TILE 8
#endif
#ifndef ROWS
#define ROWS 1
#endif
#ifndef BY_COLUMN
#define BY_COLUMN 1
#endif
#include <algorithm>
#include <cstddef>

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  std::fill(C, C + static_cast<size_t>(M) * N, 0.0f);
  for (int k0 = 0; k0 < K; k0 += TILE) {
    const int k1 = std::min(K, k0 + TILE);
    for (int i0 = 0; i0 < M; i0 += ROWS) {
      const int i1 = std::min(M, i0 + ROWS);
#if BY_COLUMN
      for (int j = 0; j < N; ++j)
        for (int i = i0; i < i1; ++i)
          for (int k = k0; k < k1; ++k)
            C[static_cast<size_t>(i) * N + j] +=
                A[static_cast<size_t>(i) * K + k] * B[static_cast<size_t>(k) * N + j];
#else
      for (int k = k0; k < k1; ++k)
        for (int i = i0; i < i1; ++i)
          for (int j = 0; j < N; ++j)
            C[static_cast<size_t>(i) * N + j] +=
                A[static_cast<size_t>(i) * K + k] * B[static_cast<size_t>(k) * N + j];
#endif
    }
  }
}
