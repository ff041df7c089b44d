// strategy: coalesce_global_access
// after: naive.cu
// predicts: 2-3x at every size: sectors are written whole; 32-way bank conflicts then bound it
//
// A 32 x 32 tile turns round in shared memory, so both sides of the copy touch whole lines. The tile is read
// back by columns of 32 words, all in one bank: 32 replays, 4 bytes a clock and SM, less than half of
// what device memory could deliver.
#include <cuda_runtime.h>

#ifndef TILE
#define TILE 32  // 64: 16 independent loads a thread, and rows of 256 bytes on both sides
#endif
#ifndef ROWS
#define ROWS 8
#endif
#ifndef PADDING
#define PADDING 0  // with 1 rows start in different banks, so a column of the tile lies in 32
#endif

constexpr int tile = TILE;
constexpr int rows = ROWS;  // of threads

__global__ void __launch_bounds__(tile* rows)
    transpose(const float* __restrict__ x, float* __restrict__ y, int M, int N, unsigned tiles_across) {
  __shared__ float held[tile][tile + PADDING];
  const int j0 = static_cast<int>(blockIdx.x % tiles_across) * tile;
  const int i0 = static_cast<int>(blockIdx.x / tiles_across) * tile;
  const int tx = threadIdx.x, ty = threadIdx.y;
#pragma unroll
  for (int r = ty; r < tile; r += rows) {
    if (i0 + r < M && j0 + tx < N) held[r][tx] = x[static_cast<size_t>(i0 + r) * N + j0 + tx];
  }
  __syncthreads();
#pragma unroll
  for (int r = ty; r < tile; r += rows) {
    if (j0 + r < N && i0 + tx < M) y[static_cast<size_t>(j0 + r) * M + i0 + tx] = held[tx][r];
  }
}

extern "C" void solve(const float* x, float* y, int M, int N) {
  const unsigned across = (static_cast<unsigned>(N) - 1) / tile + 1;
  const unsigned down = (static_cast<unsigned>(M) - 1) / tile + 1;
  transpose<<<across * down, dim3(tile, rows)>>>(x, y, M, N, across);
}
