// One transpose in plain C++ whose shape is chosen by macros; sweep_host.json lists the values.
//   BLOCK_X, BLOCK_Y    columns and rows of a tile
//   STAGED              a tile is read into a local array before it is written
//   UNROLL              of the loop that writes a line of y
#include <cstddef>

#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
#ifndef STAGED
#define STAGED 1
#endif
#ifndef UNROLL
#define UNROLL 1
#endif

namespace {

void edge(const float* in, float* out, int rows, int columns, size_t N, size_t M) {
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) out[j * M + i] = in[i * N + j];
  }
}

void whole(const float* __restrict in, float* __restrict out, size_t N, size_t M) {
#if STAGED
  float held[BLOCK_Y][BLOCK_X];
  for (int i = 0; i < BLOCK_Y; ++i) {
    for (int j = 0; j < BLOCK_X; ++j) held[i][j] = in[i * N + j];
  }
#endif
  for (int j = 0; j < BLOCK_X; ++j) {
    for (int i = 0; i < BLOCK_Y; i += UNROLL) {
      for (int u = 0; u < UNROLL; ++u) {
#if STAGED
        out[j * M + i + u] = held[i + u][j];
#else
        out[j * M + i + u] = in[(i + u) * N + j];
#endif
      }
    }
  }
}

}  // namespace

extern "C" void solve(const float* x, float* y, int M, int N) {
  for (int i = 0; i < M; i += BLOCK_Y) {
    for (int j = 0; j < N; j += BLOCK_X) {
      const float* in = x + static_cast<size_t>(i) * N + j;
      float* out = y + static_cast<size_t>(j) * M + i;
      const int rows = M - i < BLOCK_Y ? M - i : BLOCK_Y, columns = N - j < BLOCK_X ? N - j : BLOCK_X;
      if (rows == BLOCK_Y && columns == BLOCK_X) {
        whole(in, out, N, M);
      } else {
        edge(in, out, rows, columns, N, M);
      }
    }
  }
}
