// strategy: vectorized_access
// after: naive.cu
// predicts: 1.2x or more at N=4096: 32 bytes a thread in flight instead of 8; little at N=1
//
// Four neighbours a thread, moved as one 16-byte access; the four exponentials are independent of each
// other.
#include <cuda_runtime.h>

#include "../lib/streaming.cuh"

#ifndef THREADS
#define THREADS 256  // a block's room is freed only when its slowest warp has ended
#endif

constexpr int threads = THREADS;

__device__ __forceinline__ float gated(float a, float b) {
  const float e = expf(-fabsf(a));
  return a * ((a < 0 ? e : 1.0f) / (1.0f + e)) * b;
}

__device__ __forceinline__ float4 gated(float4 a, float4 b) {
  return make_float4(gated(a.x, b.x), gated(a.y, b.y), gated(a.z, b.z), gated(a.w, b.w));
}

__global__ void __launch_bounds__(threads) swiglu(const float* a, const float* b, float* y, size_t count) {
  const size_t i = static_cast<size_t>(blockIdx.x) * threads + threadIdx.x;
  const size_t quads = count / 4;
  if (i < quads) {
    const float4 u = load_once(reinterpret_cast<const float4*>(a) + i);
    const float4 v = load_once(reinterpret_cast<const float4*>(b) + i);
    store_once(reinterpret_cast<float4*>(y) + i, gated(u, v));
  }
  // The last one to three elements.
  const size_t rest = quads * 4 + i;
  if (i < 4 && rest < count) y[rest] = gated(a[rest], b[rest]);
}

extern "C" void solve(const float* a, const float* b, float* y, int N, int D) {
  const size_t count = static_cast<size_t>(N) * D;
  const size_t blocks = (count + threads * 4 - 1) / (threads * 4);
  swiglu<<<static_cast<unsigned>(blocks), threads>>>(a, b, y, count);
}
