// strategy: grid_stride_loop
// after: block_shuffle.cu
// predicts: 2-4x from 2^24 up: 1024 atomics in all; then one 4-byte load in flight a thread bounds it
//
// At most 1024 blocks walk over the vector. The loop is kept from being unrolled: one load, one addition,
// next. 8 KB in flight an SM at most, while an H200 wants about 25 KB.
#include <cuda_runtime.h>

constexpr int threads = 256;
constexpr int most_blocks = 1024;

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
  const long long stride = static_cast<long long>(gridDim.x) * threads;
  float sum = 0;
  long long i = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
#pragma unroll 1
  for (; i < N; i += stride) sum += x[i];
  const float total = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(y, total);
}

extern "C" void solve(const float* x, float* y, float* /*partial*/, int N) {
  const int wanted = (N - 1) / threads + 1;
  const int blocks = wanted < most_blocks ? wanted : most_blocks;
  cudaMemsetAsync(y, 0, sizeof(float));
  sum_blocks<<<blocks, threads>>>(x, y, N);
}
