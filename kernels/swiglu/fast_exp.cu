// strategy: fast_math
// after: vectorized.cu
// predicts: no gain at N=4096: DRAM is the limit and hides the arithmetic; 1 to 3% at N=1 at best
//
// One hardware power of two for the exponential, and the approximate division: about half the instructions.
// fast_exp_scalar.cu is the same step where instructions still count.
#include <cuda_runtime.h>

constexpr int threads = 256;

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
