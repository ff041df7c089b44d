// strategy: smem_tiling:on
// after: vectorized.cu
// predicts: within 5% on sm_90 at V = 8192 (L1 serves the second read), nothing for rows that do not fit
//
// The row waits in shared memory for the second pass. Rows over 11 K elements do not fit in the 48 KB that
// need no opt-in and go the old way.
#include <cuda_runtime.h>

#include "../lib/quads.cuh"
#include "../lib/reduce.cuh"

constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr int longest_row = 11 * 1024;  // elements: 44 KB, within the 48 KB every GPU gives

__device__ __forceinline__ float quad_exp_sum(float4 v, float top) {
  return (expf(v.x - top) + expf(v.y - top)) + (expf(v.z - top) + expf(v.w - top));
}

// V a multiple of 4, so that every row starts on 16 bytes. A thread reads back only what it wrote itself.
__global__ void __launch_bounds__(threads)
    cross_entropy_quads(const float* __restrict__ x, const int* __restrict__ target, float* __restrict__ loss,
                        int V) {
  extern __shared__ float4 row[];
  __shared__ float room[2][warps];
  const float* in = x + static_cast<size_t>(blockIdx.x) * V;
  const float4* in4 = reinterpret_cast<const float4*>(in);
  float top = -INFINITY;
  for (int j = threadIdx.x; j < V / 4; j += threads) {
    row[j] = in4[j];
    top = fmaxf(top, quad_max(row[j]));
  }
  top = block_reduce<threads>(top, room[0], Max());
  float sum = 0;
  for (int j = threadIdx.x; j < V / 4; j += threads) sum += quad_exp_sum(row[j], top);
  sum = block_reduce<threads>(sum, room[1], Sum());
  if (threadIdx.x == 0) loss[blockIdx.x] = logf(sum) + (top - in[target[blockIdx.x]]);
}

__global__ void __launch_bounds__(threads)
    cross_entropy_any(const float* __restrict__ x, const int* __restrict__ target, float* __restrict__ loss,
                      int V) {
  __shared__ float room[2][warps];
  const float* in = x + static_cast<size_t>(blockIdx.x) * V;
  float top = -INFINITY;
  for (int j = threadIdx.x; j < V; j += threads) top = fmaxf(top, in[j]);
  top = block_reduce<threads>(top, room[0], Max());
  float sum = 0;
  for (int j = threadIdx.x; j < V; j += threads) sum += expf(in[j] - top);
  sum = block_reduce<threads>(sum, room[1], Sum());
  if (threadIdx.x == 0) loss[blockIdx.x] = logf(sum) + (top - in[target[blockIdx.x]]);
}

extern "C" void solve(const float* x, const int* target, float* loss, int N, int V) {
  if (V % 4 == 0 && V <= longest_row) {
    cross_entropy_quads<<<N, threads, V * sizeof(float)>>>(x, target, loss, V);
  } else {
    cross_entropy_any<<<N, threads>>>(x, target, loss, V);
  }
}
