// strategy: increase_ilp
// after: vectorized.cu
// predicts: up to 1.05x at N=4096; loses at N=1 and N=64, where too few blocks are left
//
// Two float4 of each input a thread, all loads before the first store, a block's width apart so that each
// access stays coalesced.
#include <cuda_runtime.h>

constexpr int threads = 256;
#ifndef PER_THREAD
#define PER_THREAD 2
#endif

constexpr int per_thread = PER_THREAD;  // float4s

__device__ __forceinline__ float gated(float a, float b) {
  const float e = expf(-fabsf(a));
  return a * ((a < 0 ? e : 1.0f) / (1.0f + e)) * b;
}

__device__ __forceinline__ float4 gated(float4 a, float4 b) {
  return make_float4(gated(a.x, b.x), gated(a.y, b.y), gated(a.z, b.z), gated(a.w, b.w));
}

__global__ void __launch_bounds__(threads) swiglu(const float* a, const float* b, float* y, size_t count) {
  const size_t quads = count / 4;
  const size_t first = static_cast<size_t>(blockIdx.x) * (threads * per_thread) + threadIdx.x;
  float4 u[per_thread], v[per_thread];
#pragma unroll
  for (int k = 0; k < per_thread; ++k) {
    const size_t i = first + k * threads;
    if (i < quads) {
      u[k] = reinterpret_cast<const float4*>(a)[i];
      v[k] = reinterpret_cast<const float4*>(b)[i];
    }
  }
#pragma unroll
  for (int k = 0; k < per_thread; ++k) {
    const size_t i = first + k * threads;
    if (i < quads) reinterpret_cast<float4*>(y)[i] = gated(u[k], v[k]);
  }
  // The last one to three elements.
  const size_t rest = quads * 4 + first;
  if (first < 4 && rest < count) y[rest] = gated(a[rest], b[rest]);
}

extern "C" void solve(const float* a, const float* b, float* y, int N, int D) {
  const size_t count = static_cast<size_t>(N) * D;
  const size_t blocks = (count + threads * per_thread * 4 - 1) / (threads * per_thread * 4);
  swiglu<<<static_cast<unsigned>(blocks), threads>>>(a, b, y, count);
}
