// Strategies register_tiling_2d, vectorized_access: 32 columns of B are widened to float once and kept in the
// cache; four rows of C at a time then sum up in vector registers, instead of one dependent scalar chain an
// element.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace {

constexpr int tile_rows = 4, tile_columns = 32;

inline float widen(std::uint16_t v) {
  std::uint32_t bits = static_cast<std::uint32_t>(v) << 16;
  float f;
  std::memcpy(&f, &bits, sizeof f);
  return f;
}

// To nearest, ties to even.
inline std::uint16_t narrow(float v) {
  std::uint32_t bits;
  std::memcpy(&bits, &v, sizeof bits);
  if (std::isnan(v)) return static_cast<std::uint16_t>(bits >> 16 | 64);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

// `panel` holds K rows of tile_columns floats, zeros beyond the last column.
template <int Rows>
void tile(const std::uint16_t* A, const float* panel, std::uint16_t* C, int columns, int N, int K) {
  float sum[Rows][tile_columns] = {};
  for (int k = 0; k < K; ++k) {
    const float* b = panel + static_cast<size_t>(k) * tile_columns;
    for (int r = 0; r < Rows; ++r) {
      const float a = widen(A[static_cast<size_t>(r) * K + k]);
      for (int j = 0; j < tile_columns; ++j) sum[r][j] += a * b[j];
    }
  }
  for (int r = 0; r < Rows; ++r) {
    for (int j = 0; j < columns; ++j) C[static_cast<size_t>(r) * N + j] = narrow(sum[r][j]);
  }
}

}  // namespace

extern "C" void solve(const std::uint16_t* A, const std::uint16_t* B, std::uint16_t* C, int M, int N, int K) {
  std::vector<float> panel(static_cast<size_t>(K) * tile_columns);
  for (int j0 = 0; j0 < N; j0 += tile_columns) {
    const int columns = N - j0 < tile_columns ? N - j0 : tile_columns;
    for (int k = 0; k < K; ++k) {
      const std::uint16_t* b = B + static_cast<size_t>(k) * N + j0;
      float* to = panel.data() + static_cast<size_t>(k) * tile_columns;
      for (int j = 0; j < columns; ++j) to[j] = widen(b[j]);
    }
    int i = 0;
    for (; i + tile_rows <= M; i += tile_rows) {
      tile<tile_rows>(A + static_cast<size_t>(i) * K, panel.data(), C + static_cast<size_t>(i) * N + j0,
                      columns, N, K);
    }
    for (; i < M; ++i) {
      tile<1>(A + static_cast<size_t>(i) * K, panel.data(), C + static_cast<size_t>(i) * N + j0, columns, N,
              K);
    }
  }
}
