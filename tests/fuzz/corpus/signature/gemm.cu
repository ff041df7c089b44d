// 32 x 32 tiles, widened to float in shared memory, and plain FMAs; the result is rounded once.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

constexpr int tile = 32;
constexpr int rows = 8;               // of threads
constexpr int outputs = tile / rows;  // a thread

__global__ void __launch_bounds__(tile* rows)
    gemm(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
  __shared__ float a[tile][tile];
  __shared__ float b[tile][tile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int i0 = blockIdx.y * tile, j = blockIdx.x * tile + tx;
  float sum[outputs] = {};
  for (int k0 = 0; k0 < K; k0 += tile) {
    for (int r = 0; r < outputs; ++r) {
      int row = ty + r * rows;
      int i = i0 + row, k = k0 + tx;
      a[row][tx] = i < M && k < K ? __bfloat162float(A[static_cast<size_t>(i) * K + k]) : 0.0f;
      k = k0 + row;
      b[row][tx] = k < K && j < N ? __bfloat162float(B[static_cast<size_t>(k) * N + j]) : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < tile; ++k) {
      float right = b[k][tx];
      for (int r = 0; r < outputs; ++r) sum[r] += a[ty + r * rows][k] * right;
    }
    __syncthreads();
  }
  for (int r = 0; r < outputs; ++r) {
    int i = i0 + ty + r * rows;
    if (i < M && j < N) C[static_cast<size_t>(i) * N + j] = __float2bfloat16(sum[r]);
  }
}

extern "C" void solve(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
  gemm<<<dim3((N + tile - 1) / tile, (M + tile - 1) / tile), dim3(tile, rows)>>>(A, B, C, M, N, K);
}
