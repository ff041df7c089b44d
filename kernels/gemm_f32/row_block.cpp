// Strategies register_tiling_2d, vectorized_access: four rows of C at a time and 32 columns of each in local
// sums, k outside, so that loads of B are contiguous, serve four rows, and the sums stay in vector registers.
#include <cstddef>

namespace {

constexpr int tile_rows = 4, tile_columns = 32;

template <int Rows>
void full_tile(const float* A, const float* B, float* C, int N, int K) {
  float sum[Rows][tile_columns] = {};
  for (int k = 0; k < K; ++k) {
    const float* b = B + static_cast<size_t>(k) * N;
    for (int r = 0; r < Rows; ++r) {
      const float a = A[static_cast<size_t>(r) * K + k];
      for (int j = 0; j < tile_columns; ++j) sum[r][j] += a * b[j];
    }
  }
  for (int r = 0; r < Rows; ++r) {
    for (int j = 0; j < tile_columns; ++j) C[static_cast<size_t>(r) * N + j] = sum[r][j];
  }
}

void edge_tile(const float* A, const float* B, float* C, int rows, int columns, int N, int K) {
  for (int r = 0; r < rows; ++r) {
    float sum[tile_columns] = {};
    for (int k = 0; k < K; ++k) {
      const float a = A[static_cast<size_t>(r) * K + k];
      const float* b = B + static_cast<size_t>(k) * N;
      for (int j = 0; j < columns; ++j) sum[j] += a * b[j];
    }
    for (int j = 0; j < columns; ++j) C[static_cast<size_t>(r) * N + j] = sum[j];
  }
}

}  // namespace

extern "C" void solve(const float* __restrict A, const float* __restrict B, float* __restrict C, int M, int N,
                      int K) {
  for (int j = 0; j < N; j += tile_columns) {
    for (int i = 0; i < M; i += tile_rows) {
      const float* a = A + static_cast<size_t>(i) * K;
      float* c = C + static_cast<size_t>(i) * N + j;
      if (i + tile_rows <= M && j + tile_columns <= N) {
        full_tile<tile_rows>(a, B + j, c, N, K);
      } else {
        edge_tile(a, B + j, c, M - i < tile_rows ? M - i : tile_rows,
                  N - j < tile_columns ? N - j : tile_columns, N, K);
      }
    }
  }
}
