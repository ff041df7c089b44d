// strategy: cooperative_sync
// after: row_per_block.cu
// predicts: 5-15% at D = 1024, 3x at D = 128 (32 of 256 threads were busy); 0 from D = 4096 on
//
// Rows of up to 1024 elements belong to one warp each, eight rows a block: only the 32 lanes that share a
// row wait for each other, and a lane has up to 8 float4 loads in flight.
#include <cuda_runtime.h>

#include "../lib/quads.cuh"
#include "../lib/reduce.cuh"
#include "../lib/rows.cuh"

constexpr int threads = 256;
constexpr int warps = threads / 32;

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
  const float scale = 1.0f / sqrtf(block_sum<threads>(squares(v), room) / D + eps);
  store_row<threads>(out, t, quads, v, scale, w4);
}

// A row a warp: no barrier, no shared memory. D a multiple of 4, at most Quads * 4 * 32.
template <int Quads>
__global__ void __launch_bounds__(threads)
    rmsnorm_warp(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ y, int N,
                 int D, float eps) {
  const int lane = threadIdx.x % 32;
  const int row = static_cast<int>(blockIdx.x) * warps + static_cast<int>(threadIdx.x) / 32;
  if (row >= N) return;  // the whole warp
  const float4* in = reinterpret_cast<const float4*>(x + static_cast<size_t>(row) * D);
  float4* out = reinterpret_cast<float4*>(y + static_cast<size_t>(row) * D);
  const float4* w4 = reinterpret_cast<const float4*>(weight);
  const int quads = D / 4;
  float4 v[Quads];
  load_row<32>(in, lane, quads, v);
  const float scale = 1.0f / sqrtf(warp_sum(squares(v)) / D + eps);
  store_row<32>(out, lane, quads, v, scale, w4);
}

__global__ void __launch_bounds__(threads)
    rmsnorm_any(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ y, int D,
                float eps) {
  __shared__ float room[warps];
  const float* in = x + static_cast<size_t>(blockIdx.x) * D;
  float* out = y + static_cast<size_t>(blockIdx.x) * D;
  float squares = 0;
  for (int j = threadIdx.x; j < D; j += threads) squares += square(in[j]);
  const float scale = 1.0f / sqrtf(block_sum<threads>(squares, room) / D + eps);
  for (int j = threadIdx.x; j < D; j += threads) out[j] = in[j] * scale * weight[j];
}

extern "C" void solve(const float* x, const float* weight, float* y, int N, int D, float eps) {
  const int blocks = (N - 1) / warps + 1;  // of a warp a row
  if (D % 4 != 0 || D > 32 * threads) {
    rmsnorm_any<<<N, threads>>>(x, weight, y, D, eps);
  } else if (D <= 4 * 32) {
    rmsnorm_warp<1><<<blocks, threads>>>(x, weight, y, N, D, eps);
  } else if (D <= 8 * 32) {
    rmsnorm_warp<2><<<blocks, threads>>>(x, weight, y, N, D, eps);
  } else if (D <= 16 * 32) {
    rmsnorm_warp<4><<<blocks, threads>>>(x, weight, y, N, D, eps);
  } else if (D <= 32 * 32) {
    rmsnorm_warp<8><<<blocks, threads>>>(x, weight, y, N, D, eps);
  } else if (D <= 8 * threads) {
    rmsnorm_registers<2><<<N, threads>>>(x, weight, y, D, eps);
  } else if (D <= 16 * threads) {
    rmsnorm_registers<4><<<N, threads>>>(x, weight, y, D, eps);
  } else {
    rmsnorm_registers<8><<<N, threads>>>(x, weight, y, D, eps);
  }
}
