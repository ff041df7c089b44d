// strategy: readonly_cache
// after: naive.cu
// predicts: no gain: one load of each input, one store; the read-only path is L1 since sm_70
//
// Pointers that promise not to alias, and loads through ld.global.nc.
#include <cuda_runtime.h>

__device__ __forceinline__ float gated(float a, float b) {
  const float e = expf(-fabsf(a));
  return a * ((a < 0 ? e : 1.0f) / (1.0f + e)) * b;
}

__global__ void swiglu(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ y,
                       size_t count) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) y[i] = gated(__ldg(a + i), __ldg(b + i));
}

extern "C" void solve(const float* a, const float* b, float* y, int N, int D) {
  const size_t count = static_cast<size_t>(N) * D;
  swiglu<<<static_cast<unsigned>((count + 255) / 256), 256>>>(a, b, y, count);
}
