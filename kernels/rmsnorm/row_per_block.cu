// strategy: row_in_registers
// after: vectorized.cu
// predicts: 10-50% for D 1024 to 8192: the row is read once, all its loads are in flight at once
//
// One block a row, the row kept in registers from the load to the store. Rows over 8192 elements are read
// again in each pass.
#include <cuda_runtime.h>

#include "../lib/quads.cuh"
#include "../lib/reduce.cuh"
#include "../lib/rows.cuh"

// 1: rsqrtf, within 2 units in the last place, not a correctly rounded root and quotient.
#ifndef FAST_RSQRT
#define FAST_RSQRT 0
#endif

constexpr int threads = 256;
constexpr int warps = threads / 32;

__device__ __forceinline__ float inverse_root(float x) {
#if FAST_RSQRT
  return rsqrtf(x);
#else
  return 1.0f / sqrtf(x);
#endif
}

__device__ __forceinline__ float4 quad_result(float4 v, float scale, float4 w) {
  return make_float4(v.x * scale * w.x, v.y * scale * w.y, v.z * scale * w.z, v.w * scale * w.w);
}

template <int Width, int Quads>
__device__ __forceinline__ void store_row(float4* out, int lane, int quads, const float4 (&v)[Quads],
                                          float scale, const float4* w4) {
#pragma unroll
  for (int k = 0; k < Quads; ++k) {
    const int j = k * Width + lane;
    if (j < quads) out[j] = quad_result(v[k], scale, w4[j]);
  }
}

// D a multiple of 4, at most Quads * 4 * threads.
template <int Quads>
__global__ void __launch_bounds__(threads)
    rmsnorm_registers(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ y,
                      int D, float eps) {
  __shared__ float room[warps];
  const float4* in = reinterpret_cast<const float4*>(x + static_cast<size_t>(blockIdx.x) * D);
  float4* out = reinterpret_cast<float4*>(y + static_cast<size_t>(blockIdx.x) * D);
  const float4* w4 = reinterpret_cast<const float4*>(weight);
  const int quads = D / 4, t = threadIdx.x;
  float4 v[Quads];
  load_row<threads>(in, t, quads, v);
  const float scale = inverse_root(block_sum<threads>(squares(v), room) / D + eps);
  store_row<threads>(out, t, quads, v, scale, w4);
}

__global__ void __launch_bounds__(threads)
    rmsnorm_any(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ y, int D,
                float eps) {
  __shared__ float room[warps];
  const float* in = x + static_cast<size_t>(blockIdx.x) * D;
  float* out = y + static_cast<size_t>(blockIdx.x) * D;
  float squares = 0;
  for (int j = threadIdx.x; j < D; j += threads) squares += square(in[j]);
  const float scale = inverse_root(block_sum<threads>(squares, room) / D + eps);
  for (int j = threadIdx.x; j < D; j += threads) out[j] = in[j] * scale * weight[j];
}

extern "C" void solve(const float* x, const float* weight, float* y, int N, int D, float eps) {
  if (D % 4 != 0 || D > 32 * threads) {
    rmsnorm_any<<<N, threads>>>(x, weight, y, D, eps);
  } else if (D <= 4 * threads) {
    rmsnorm_registers<1><<<N, threads>>>(x, weight, y, D, eps);
  } else if (D <= 8 * threads) {
    rmsnorm_registers<2><<<N, threads>>>(x, weight, y, D, eps);
  } else if (D <= 16 * threads) {
    rmsnorm_registers<4><<<N, threads>>>(x, weight, y, D, eps);
  } else {
    rmsnorm_registers<8><<<N, threads>>>(x, weight, y, D, eps);
  }
}
