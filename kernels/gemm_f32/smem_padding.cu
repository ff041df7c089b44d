// strategy: smem_padding
// after: smem_tile.cu
// predicts: no change: a warp reads one element of A and a row of B, so nothing conflicts anyway
//
// Rows of the tiles are one float longer than they need be, so that a column lies in 32 banks. Nobody reads a
// column.
#include <cuda_runtime.h>

constexpr int tile = 32;

__global__ void __launch_bounds__(tile* tile) gemm(const float* __restrict__ A, const float* __restrict__ B,
                                                   float* __restrict__ C, int M, int N, int K) {
  __shared__ float a[tile][tile + 1];
  __shared__ float b[tile][tile + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i = blockIdx.y * tile + ty, j = blockIdx.x * tile + tx;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += tile) {
    a[ty][tx] = i < M && k0 + tx < K ? A[static_cast<size_t>(i) * K + k0 + tx] : 0.0f;
    b[ty][tx] = k0 + ty < K && j < N ? B[static_cast<size_t>(k0 + ty) * N + j] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile; ++k) sum += a[ty][k] * b[k][tx];
    __syncthreads();
  }
  if (i < M && j < N) C[static_cast<size_t>(i) * N + j] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  gemm<<<dim3((N + tile - 1) / tile, (M + tile - 1) / tile), dim3(tile, tile)>>>(A, B, C, M, N, K);
}
