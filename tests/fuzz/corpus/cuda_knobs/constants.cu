// A transpose whose sizes nobody declared as knobs.
#include <cuda_runtime.h>

#define ROWS 8
#ifndef VECTOR
#define VECTOR 2
#endif
constexpr int TILE = 32;
constexpr int WARP_SIZE = 32;

__global__ void transpose(const float* in, float* out, int M, int N) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    if (x < N && y + j < M) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * N + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    if (x < M && y + j < N) out[(y + j) * M + x] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" void solve(const float* in, float* out, int M, int N) {
  static_assert(TILE == WARP_SIZE && VECTOR > 0, "a warp loads a row");
  transpose<<<dim3((N + TILE - 1) / TILE, (M + TILE - 1) / TILE), dim3(TILE, ROWS)>>>(in, out, M, N);
}
