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

__device__ __forceinline__ float4 quad_less(float4 v, float mean) {
  return make_float4(v.x - mean, v.y - mean, v.z - mean, v.w - mean);
}
__device__ __forceinline__ float4 quad_result(float4 v, float scale, float4 w, float4 b) {
  return make_float4(v.x * scale * w.x + b.x, v.y * scale * w.y + b.y, v.z * scale * w.z + b.z,
                     v.w * scale * w.w + b.w);
}

// Beyond the row zeros stay zeros.
template <int Width, int Quads>
__device__ __forceinline__ void subtract(float4 (&v)[Quads], float mean, int lane, int quads) {
#pragma unroll
  for (int k = 0; k < Quads; ++k) {
    if (k * Width + lane < quads) v[k] = quad_less(v[k], mean);
  }
}

template <int Width, int Quads>
__device__ __forceinline__ void store_row(float4* out, int lane, int quads, const float4 (&v)[Quads],
                                          float scale, const float4* w4, const float4* b4) {
#pragma unroll
  for (int k = 0; k < Quads; ++k) {
    const int j = k * Width + lane;
    if (j < quads) out[j] = quad_result(v[k], scale, w4[j], b4[j]);
  }
}

// D a multiple of 4, at most Quads * 4 * threads.
template <int Quads>
__global__ void __launch_bounds__(threads)
    layernorm_registers(const float* __restrict__ x, const float* __restrict__ weight,
                        const float* __restrict__ bias, float* __restrict__ y, int D, float eps) {
  __shared__ float room[2][warps];
  const float4* in = reinterpret_cast<const float4*>(x + static_cast<size_t>(blockIdx.x) * D);
  float4* out = reinterpret_cast<float4*>(y + static_cast<size_t>(blockIdx.x) * D);
  const float4* w4 = reinterpret_cast<const float4*>(weight);
  const float4* b4 = reinterpret_cast<const float4*>(bias);
  const int quads = D / 4, t = threadIdx.x;
  float4 v[Quads];
  load_row<threads>(in, t, quads, v);
  const float mean = block_sum<threads>(total(v), room[0]) / D;
  subtract<threads>(v, mean, t, quads);
  const float scale = inverse_root(block_sum<threads>(squares(v), room[1]) / D + eps);
  store_row<threads>(out, t, quads, v, scale, w4, b4);
}

__global__ void __launch_bounds__(threads)
    layernorm_any(const float* __restrict__ x, const float* __restrict__ weight,
                  const float* __restrict__ bias, float* __restrict__ y, int D, float eps) {
  __shared__ float room[2][warps];
  const float* in = x + static_cast<size_t>(blockIdx.x) * D;
  float* out = y + static_cast<size_t>(blockIdx.x) * D;
  float sum = 0;
  for (int j = threadIdx.x; j < D; j += threads) sum += in[j];
  const float mean = block_sum<threads>(sum, room[0]) / D;
  float squares = 0;
  for (int j = threadIdx.x; j < D; j += threads) squares += square(in[j] - mean);
  const float scale = inverse_root(block_sum<threads>(squares, room[1]) / D + eps);
  for (int j = threadIdx.x; j < D; j += threads) out[j] = (in[j] - mean) * scale * weight[j] + bias[j];
}

extern "C" void solve(const float* x, const float* weight, const float* bias, float* y, int N, int D,
                      float eps) {
  if (D % 4 != 0 || D > 32 * threads) {
    layernorm_any<<<N, threads>>>(x, weight, bias, y, D, eps);
  } else if (D <= 4 * threads) {
    layernorm_registers<1><<<N, threads>>>(x, weight, bias, y, D, eps);
  } else if (D <= 8 * threads) {
    layernorm_registers<2><<<N, threads>>>(x, weight, bias, y, D, eps);
  } else if (D <= 16 * threads) {
    layernorm_registers<4><<<N, threads>>>(x, weight, bias, y, D, eps);
  } else {
    layernorm_registers<8><<<N, threads>>>(x, weight, bias, y, D, eps);
  }
}
