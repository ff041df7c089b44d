// strategy: smem_tiling:on
// after: vectorized.cu
// predicts: helps on sm_86; on sm_90 within 5%, L1 (256 KB) holds the rows anyway; a saved exp helps
//
// The row waits in shared memory between its passes, so global memory is read once, and each exp is
// computed once. Rows over 11 K elements do not fit in the 48 KB that need no opt-in and go the old way.
#include <cuda_runtime.h>

#include "../lib/quads.cuh"
#include "../lib/reduce.cuh"

constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr int longest_row = 11 * 1024;  // elements: 44 KB, within the 48 KB every GPU gives

__device__ __forceinline__ float4 quad_exp(float4 v, float top) {
  return make_float4(expf(v.x - top), expf(v.y - top), expf(v.z - top), expf(v.w - top));
}
__device__ __forceinline__ float4 quad_over(float4 v, float sum) {
  return make_float4(v.x / sum, v.y / sum, v.z / sum, v.w / sum);
}

// D a multiple of 4, so that every row starts on 16 bytes. A thread reads back only what it wrote itself.
__global__ void __launch_bounds__(threads)
    softmax_quads(const float* __restrict__ x, float* __restrict__ y, int D) {
  extern __shared__ float4 row[];
  __shared__ float room[2][warps];
  const float4* in = reinterpret_cast<const float4*>(x + static_cast<size_t>(blockIdx.x) * D);
  float4* out = reinterpret_cast<float4*>(y + static_cast<size_t>(blockIdx.x) * D);
  float top = -INFINITY;
  for (int j = threadIdx.x; j < D / 4; j += threads) {
    row[j] = in[j];
    top = fmaxf(top, quad_max(row[j]));
  }
  top = block_reduce<threads>(top, room[0], Max());
  float sum = 0;
  for (int j = threadIdx.x; j < D / 4; j += threads) {
    row[j] = quad_exp(row[j], top);
    sum += quad_sum(row[j]);
  }
  sum = block_reduce<threads>(sum, room[1], Sum());
  for (int j = threadIdx.x; j < D / 4; j += threads) out[j] = quad_over(row[j], sum);
}

__global__ void __launch_bounds__(threads)
    softmax_any(const float* __restrict__ x, float* __restrict__ y, int D) {
  __shared__ float room[2][warps];
  const float* in = x + static_cast<size_t>(blockIdx.x) * D;
  float* out = y + static_cast<size_t>(blockIdx.x) * D;
  float top = -INFINITY;
  for (int j = threadIdx.x; j < D; j += threads) top = fmaxf(top, in[j]);
  top = block_reduce<threads>(top, room[0], Max());
  float sum = 0;
  for (int j = threadIdx.x; j < D; j += threads) sum += expf(in[j] - top);
  sum = block_reduce<threads>(sum, room[1], Sum());
  for (int j = threadIdx.x; j < D; j += threads) out[j] = expf(in[j] - top) / sum;
}

extern "C" void solve(const float* x, float* y, int N, int D) {
  if (D % 4 == 0 && D <= longest_row) {
    softmax_quads<<<N, threads, D * sizeof(float)>>>(x, y, D);
  } else {
    softmax_any<<<N, threads>>>(x, y, D);
  }
}
