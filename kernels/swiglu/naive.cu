// One thread an element, scalar loads and stores, exponential and division to full precision. The power of a
// negative number only: e^-a itself would overflow below -88.
#include <cuda_runtime.h>

__device__ float gated(float a, float b) {
  const float e = expf(-fabsf(a));
  return a * ((a < 0 ? e : 1.0f) / (1.0f + e)) * b;
}

__global__ void swiglu(const float* a, const float* b, float* y, size_t count) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) y[i] = gated(a[i], b[i]);
}

extern "C" void solve(const float* a, const float* b, float* y, int N, int D) {
  const size_t count = static_cast<size_t>(N) * D;
  swiglu<<<static_cast<unsigned>((count + 255) / 256), 256>>>(a, b, y, count);
}
