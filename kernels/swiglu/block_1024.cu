// strategy: block_size_choice
// after: vectorized.cu
// predicts: no gain at N=4096; loses at N=1 and N=64: 3 or 64 blocks leave multiprocessors idle
//
// Blocks of 1024 threads instead of 256: nothing is shared in a block, and its room is freed only when its
// slowest warp has ended.
#include <cuda_runtime.h>

constexpr int threads = 1024;

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
    const float4 u = reinterpret_cast<const float4*>(a)[i];
    const float4 v = reinterpret_cast<const float4*>(b)[i];
    reinterpret_cast<float4*>(y)[i] = gated(u, v);
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
