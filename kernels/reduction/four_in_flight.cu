// strategy: increase_ilp
// after: grid_stride.cu
// predicts: 1.5-2x from 2^26 up: four independent loads a thread cover the latency of device memory
//
// Four loads are issued before the first is added, each into a sum of its own.
#include <cuda_runtime.h>

constexpr int threads = 256;
constexpr int most_blocks = 1024;
constexpr int in_flight = 4;

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
  float sum[in_flight] = {};
  long long i = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
#pragma unroll 1
  for (; i + (in_flight - 1) * stride < N; i += in_flight * stride) {
    float v[in_flight];
#pragma unroll
    for (int k = 0; k < in_flight; ++k) v[k] = x[i + k * stride];
#pragma unroll
    for (int k = 0; k < in_flight; ++k) sum[k] += v[k];
  }
#pragma unroll 1
  for (; i < N; i += stride) sum[0] += x[i];
  const float total = block_sum((sum[0] + sum[1]) + (sum[2] + sum[3]));
  if (threadIdx.x == 0) atomicAdd(y, total);
}

extern "C" void solve(const float* x, float* y, float* /*partial*/, int N) {
  const int wanted = (N - 1) / threads + 1;
  const int blocks = wanted < most_blocks ? wanted : most_blocks;
  cudaMemsetAsync(y, 0, sizeof(float));
  sum_blocks<<<blocks, threads>>>(x, y, N);
}
