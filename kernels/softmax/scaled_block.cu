// strategy: block_size_choice
// after: fast_exp.cu
// predicts: 2x and more at 32 x 65536 (4x the threads on 32 SMs); within 2% elsewhere
//
// From 128 to 1024 threads a row, so that each holds at most 16 values (32 in rows of 16 K to 32 K
// elements): rows of up to 32768 elements stay in registers.
#include <cuda_runtime.h>

#include "../lib/reduce.cuh"
#include "../lib/rows.cuh"

constexpr int threads = 256;  // of a block of eight rows, a warp each
constexpr int warps = threads / 32;
constexpr int most_threads = 1024;

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
    v[k] = __expf(v[k] - top);
    sum += v[k];
  }
  return sum;
}

template <int Items>
__device__ __forceinline__ void divide(float (&v)[Items], float sum) {
  const float factor = 1.0f / sum;
#pragma unroll
  for (int k = 0; k < Items; ++k) v[k] *= factor;
}

template <int Threads, int Items, bool Quad>
__global__ void __launch_bounds__(Threads)
    softmax_registers(const float* __restrict__ x, float* __restrict__ y, int D) {
  __shared__ float room[2][Threads / 32];
  const size_t start = static_cast<size_t>(blockIdx.x) * D;
  float v[Items];
  load_row<Threads, Quad>(x + start, threadIdx.x, D, v);
  const float top = block_reduce<Threads>(largest(v), room[0], Max());
  const float sum = block_reduce<Threads>(exponentials(v, top), room[1], Sum());
  divide(v, sum);
  store_row<Threads, Quad>(y + start, threadIdx.x, D, v);
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

__global__ void __launch_bounds__(most_threads)
    softmax_long(const float* __restrict__ x, float* __restrict__ y, int D) {
  __shared__ float room[2][most_threads / 32];
  const float* in = x + static_cast<size_t>(blockIdx.x) * D;
  float* out = y + static_cast<size_t>(blockIdx.x) * D;
  float top = -INFINITY;
  for (int j = threadIdx.x; j < D; j += most_threads) top = fmaxf(top, in[j]);
  top = block_reduce<most_threads>(top, room[0], Max());
  float sum = 0;
  for (int j = threadIdx.x; j < D; j += most_threads) sum += __expf(in[j] - top);
  sum = block_reduce<most_threads>(sum, room[1], Sum());
  for (int j = threadIdx.x; j < D; j += most_threads) out[j] = __expf(in[j] - top) / sum;
}

template <int Threads, int Items>
void launch(const float* x, float* y, int N, int D) {
  if (D % 4 == 0) {
    softmax_registers<Threads, Items, true><<<N, Threads>>>(x, y, D);
  } else {
    softmax_registers<Threads, Items, false><<<N, Threads>>>(x, y, D);
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
  } else if (D <= 16 * 128) {
    launch<128, 16>(x, y, N, D);
  } else if (D <= 16 * 256) {
    launch<256, 16>(x, y, N, D);
  } else if (D <= 16 * 512) {
    launch<512, 16>(x, y, N, D);
  } else if (D <= 16 * 1024) {
    launch<1024, 16>(x, y, N, D);
  } else if (D <= 32 * 1024) {
    launch<1024, 32>(x, y, N, D);
  } else {
    softmax_long<<<N, most_threads>>>(x, y, D);
  }
}
