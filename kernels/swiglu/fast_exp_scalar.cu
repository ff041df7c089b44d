// strategy: fast_math
// after: naive.cu
// predicts: up to 1.1x at N=4096: scalar code is near its issue limit; none at N=1 and N=64
//
// One hardware power of two for the exponential, and the approximate division: about half the instructions.
#include <cuda_runtime.h>

// e^x for x <= 0 by one power of two. The product x log2(e) is carried with its rounding error: without that
// (__expf) the result would be off by |x| roundings.
__device__ __forceinline__ float fast_exp(float x) {
  constexpr float log2_e = 1.44269504f, log2_e_rest = 1.92596299e-8f, ln_2 = 0.693147181f;
  const float power = x * log2_e;
  const float rest = fmaf(x, log2_e_rest, fmaf(x, log2_e, -power));
  const float e = exp2f(power);
  return fmaf(e, rest * ln_2, e);
}

__device__ __forceinline__ float gated(float a, float b) {
  const float e = fast_exp(-fabsf(a));
  return a * __fdividef(a < 0 ? e : 1.0f, 1.0f + e) * b;  // the divisor lies in 1 to 2
}

__global__ void swiglu(const float* a, const float* b, float* y, size_t count) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) y[i] = gated(a[i], b[i]);
}

extern "C" void solve(const float* a, const float* b, float* y, int N, int D) {
  const size_t count = static_cast<size_t>(N) * D;
  swiglu<<<static_cast<unsigned>((count + 255) / 256), 256>>>(a, b, y, count);
}
