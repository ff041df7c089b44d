// strategy: warp_shuffle_reduction
// after: block_tree.cu
// predicts: 0-30%: one barrier instead of nine, but the atomics of N / 256 blocks stay and may be the limit
//
// Registers to registers within a warp; shared memory carries one value a warp.
#include <cuda_runtime.h>

constexpr int threads = 256;

// Valid in thread 0.
__device__ float block_sum(float v) {
  __shared__ float room[threads / 32];
#pragma unroll
  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(0xffffffffu, v, step);
  if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x >= 32) return v;
  v = threadIdx.x < threads / 32 ? room[threadIdx.x] : 0.0f;
#pragma unroll
  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(0xffffffffu, v, step);
  return v;
}

__global__ void __launch_bounds__(threads) sum_blocks(const float* __restrict__ x, float* y, int N) {
  const long long i = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
  const float total = block_sum(i < N ? x[i] : 0.0f);
  if (threadIdx.x == 0) atomicAdd(y, total);
}

extern "C" void solve(const float* x, float* y, float* /*partial*/, int N) {
  cudaMemsetAsync(y, 0, sizeof(float));
  sum_blocks<<<(N - 1) / threads + 1, threads>>>(x, y, N);
}
