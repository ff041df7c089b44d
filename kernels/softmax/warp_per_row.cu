// strategy: cooperative_sync
// after: row_per_block.cu
// predicts: 5-15% at D = 1024, 3x at D = 128 (32 of 256 threads were busy); 0 from D = 4096 on
//
// Rows of up to 1024 elements belong to one warp each, eight rows a block: only the 32 lanes that share a
// row wait for each other, and a lane has up to 8 float4 loads in flight.
#include <cuda_runtime.h>

#include "../lib/reduce.cuh"
#include "../lib/rows.cuh"

// 1: exp by one multiplication and the special function unit, and one division a row instead of one an element:
// about 12 instructions less an element. The error of __expf grows with |x - top|, as that of the exact exp of a
// rounded difference does.
#ifndef FAST_EXP
#define FAST_EXP 0
#endif

constexpr int threads = 256;
constexpr int warps = threads / 32;

__device__ __forceinline__ float exponential(float x) {
#if FAST_EXP
  return __expf(x);
#else
  return expf(x);
#endif
}

template <int Items>
__device__ __forceinline__ float largest(const float (&v)[Items]) {
  float top = -INFINITY;
#pragma unroll
  for (int k = 0; k < Items; ++k) top = fmaxf(top, v[k]);
  return top;
}

// Replaces v by exp(v - top) and returns the sum.
template <int Items>
__device__ __forceinline__ float exponentials(float (&v)[Items], float top) {
  float sum = 0;
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    v[k] = exponential(v[k] - top);
    sum += v[k];
  }
  return sum;
}

template <int Items>
__device__ __forceinline__ void divide(float (&v)[Items], float sum) {
#if FAST_EXP
  const float factor = 1.0f / sum;
#pragma unroll
  for (int k = 0; k < Items; ++k) v[k] *= factor;
#else
#pragma unroll
  for (int k = 0; k < Items; ++k) v[k] /= sum;
#endif
}

template <int Items, bool Quad>
__global__ void __launch_bounds__(threads)
    softmax_registers(const float* __restrict__ x, float* __restrict__ y, int D) {
  __shared__ float room[2][warps];
  const size_t start = static_cast<size_t>(blockIdx.x) * D;
  float v[Items];
  load_row<threads, Quad>(x + start, threadIdx.x, D, v);
  const float top = block_reduce<threads>(largest(v), room[0], Max());
  const float sum = block_reduce<threads>(exponentials(v, top), room[1], Sum());
  divide(v, sum);
  store_row<threads, Quad>(y + start, threadIdx.x, D, v);
}

// A row a warp: no barrier, no shared memory.
template <int Items, bool Quad>
__global__ void __launch_bounds__(threads)
    softmax_warp(const float* __restrict__ x, float* __restrict__ y, int N, int D) {
  const int lane = threadIdx.x % 32;
  const int row = static_cast<int>(blockIdx.x) * warps + static_cast<int>(threadIdx.x) / 32;
  if (row >= N) return;  // the whole warp
  const size_t start = static_cast<size_t>(row) * D;
  float v[Items];
  load_row<32, Quad>(x + start, lane, D, v);
  const float top = warp_reduce(largest(v), Max());
  const float sum = warp_reduce(exponentials(v, top), Sum());
  divide(v, sum);
  store_row<32, Quad>(y + start, lane, D, v);
}

__global__ void __launch_bounds__(threads)
    softmax_long(const float* __restrict__ x, float* __restrict__ y, int D) {
  __shared__ float room[2][warps];
  const float* in = x + static_cast<size_t>(blockIdx.x) * D;
  float* out = y + static_cast<size_t>(blockIdx.x) * D;
  float top = -INFINITY;
  for (int j = threadIdx.x; j < D; j += threads) top = fmaxf(top, in[j]);
  top = block_reduce<threads>(top, room[0], Max());
  float sum = 0;
  for (int j = threadIdx.x; j < D; j += threads) sum += exponential(in[j] - top);
  sum = block_reduce<threads>(sum, room[1], Sum());
  for (int j = threadIdx.x; j < D; j += threads) out[j] = exponential(in[j] - top) / sum;
}

template <int Items>
void launch(const float* x, float* y, int N, int D) {
  if (D % 4 == 0) {
    softmax_registers<Items, true><<<N, threads>>>(x, y, D);
  } else {
    softmax_registers<Items, false><<<N, threads>>>(x, y, D);
  }
}

template <int Items>
void launch_warp(const float* x, float* y, int N, int D) {
  const int blocks = (N - 1) / warps + 1;
  if (D % 4 == 0) {
    softmax_warp<Items, true><<<blocks, threads>>>(x, y, N, D);
  } else {
    softmax_warp<Items, false><<<blocks, threads>>>(x, y, N, D);
  }
}

extern "C" void solve(const float* x, float* y, int N, int D) {
  if (D <= 4 * 32) {
    launch_warp<4>(x, y, N, D);
  } else if (D <= 8 * 32) {
    launch_warp<8>(x, y, N, D);
  } else if (D <= 16 * 32) {
    launch_warp<16>(x, y, N, D);
  } else if (D <= 32 * 32) {
    launch_warp<32>(x, y, N, D);
  } else if (D <= 8 * threads) {
    launch<8>(x, y, N, D);
  } else if (D <= 16 * threads) {
    launch<16>(x, y, N, D);
  } else if (D <= 32 * threads) {
    launch<32>(x, y, N, D);
  } else {
    softmax_long<<<N, threads>>>(x, y, D);
  }
}
