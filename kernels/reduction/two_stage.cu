// strategy: two_stage_reduction
// after: vectorized.cu
// predicts: no gain at any size: a launch replaces a memset and 1024 spread atomics; only reproducible
//
// Each block leaves a partial sum in the workspace; a second kernel adds these in a fixed order. No atomics.
#include <cuda_runtime.h>

#include "../lib/streaming.cuh"

constexpr int threads = 256;
constexpr int most_blocks = 1024;
#ifndef IN_FLIGHT
#define IN_FLIGHT 4  // a power of two
#endif

constexpr int in_flight = IN_FLIGHT;

// Valid in thread 0.
template <int Threads>
__device__ float block_sum(float v) {
  __shared__ float room[Threads / 32];
#pragma unroll
  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(0xffffffffu, v, step);
  if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x >= 32) return v;
  v = threadIdx.x < Threads / 32 ? room[threadIdx.x] : 0.0f;
#pragma unroll
  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(0xffffffffu, v, step);
  return v;
}

// Count a power of two: pairs first, so that no sum waits for all others.
template <int Count>
__device__ __forceinline__ float added(const float* s) {
  if constexpr (Count == 1) {
    return s[0];
  } else {
    return added<Count / 2>(s) + added<Count / 2>(s + Count / 2);
  }
}

__global__ void __launch_bounds__(threads)
    sum_parts(const float* __restrict__ x, float* __restrict__ partial, int N) {
  const float4* x4 = reinterpret_cast<const float4*>(x);
  const long long quads = N / 4;
  const long long stride = static_cast<long long>(gridDim.x) * threads;
  const long long me = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
  float sum[in_flight] = {};
  long long i = me;
#pragma unroll 1
  for (; i + (in_flight - 1) * stride < quads; i += in_flight * stride) {
    float4 v[in_flight];
#pragma unroll
    for (int k = 0; k < in_flight; ++k) v[k] = load_once(x4 + i + k * stride);
#pragma unroll
    for (int k = 0; k < in_flight; ++k) sum[k] += (v[k].x + v[k].y) + (v[k].z + v[k].w);
  }
#pragma unroll 1
  for (; i < quads; i += stride) {
    const float4 v = x4[i];
    sum[0] += (v.x + v.y) + (v.z + v.w);
  }
  if (me < N - quads * 4) sum[1] += x[quads * 4 + me];
  const float total = block_sum<threads>(added<in_flight>(sum));
  if (threadIdx.x == 0) partial[blockIdx.x] = total;
}

__global__ void __launch_bounds__(most_blocks) sum_partials(const float* partial, float* y, int count) {
  const int t = threadIdx.x;
  const float total = block_sum<most_blocks>(t < count ? partial[t] : 0.0f);
  if (t == 0) *y = total;
}

extern "C" void solve(const float* x, float* y, float* partial, int N) {
  const int wanted = (N - 1) / (threads * 4) + 1;
  const int blocks = wanted < most_blocks ? wanted : most_blocks;
  sum_parts<<<blocks, threads>>>(x, partial, N);
  sum_partials<<<1, most_blocks>>>(partial, y, blocks);
}
