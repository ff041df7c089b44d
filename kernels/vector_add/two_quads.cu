// strategy: increase_ilp
// after: vectorized.cu
// predicts: within 3% on large vectors, which are saturated already; loses at 65536, fewer blocks
//
// Two float4 of each input a thread, all loads before the first store, a block's width apart so that each
// access stays coalesced.
#include <cuda_runtime.h>

#include "../lib/streaming.cuh"

constexpr int threads = 256;
#ifndef PER_THREAD
#define PER_THREAD 2
#endif

constexpr int per_thread = PER_THREAD;  // float4s

__device__ __forceinline__ float4 sum(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void __launch_bounds__(threads) add(const float* x, const float* y, float* z, int N) {
  const unsigned quads = static_cast<unsigned>(N) / 4;
  const float4* x4 = reinterpret_cast<const float4*>(x);
  const float4* y4 = reinterpret_cast<const float4*>(y);
  float4* z4 = reinterpret_cast<float4*>(z);
  const unsigned first = blockIdx.x * (threads * per_thread) + threadIdx.x;
  float4 a[per_thread], b[per_thread];
#pragma unroll
  for (int k = 0; k < per_thread; ++k) {
    const unsigned i = first + k * threads;
    if (i < quads) {
      a[k] = load_once(x4 + i);
      b[k] = load_once(y4 + i);
    }
  }
#pragma unroll
  for (int k = 0; k < per_thread; ++k) {
    const unsigned i = first + k * threads;
    if (i < quads) store_once(z4 + i, sum(a[k], b[k]));
  }
  // The last one to three elements.
  const unsigned rest = quads * 4 + first;
  if (first < 4 && rest < static_cast<unsigned>(N)) z[rest] = x[rest] + y[rest];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add<<<(N - 1) / (threads * per_thread * 4) + 1, threads>>>(x, y, z, N);
}
