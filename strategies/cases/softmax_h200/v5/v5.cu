// strategy: row_in_registers
// after: vectorized.cu
// predicts: 20-60% for D 1024 to 8192: one read, all loads in flight; loses at 65536 (no float4 there)
//
// One block a row, the row kept in registers from the load to the store. Rows over 8192 elements go through
// global memory three times.
#include <cuda_runtime.h>

#include "../lib/reduce.cuh"
#include "../lib/rows.cuh"

constexpr int threads = 256;
constexpr int warps = threads / 32;

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
    v[k] = expf(v[k] - top);
    sum += v[k];
  }
  return sum;
}

template <int Items>
__device__ __forceinline__ void divide(float (&v)[Items], float sum) {
#pragma unroll
  for (int k = 0; k < Items; ++k) v[k] /= sum;
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

__global__ void __launch_bounds__(threads)
    softmax_long(const float* __restrict__ x, float* __restrict__ y, int D) {
  __shared__ float room[2][warps];
  const float* in = x + static_cast<size_t>(blockIdx.x) * D;
  float* out = y + static_cast<size_t>(blockIdx.x) * D;
  float top = -INFINITY;
  for (int j = threadIdx.x; j < D; j += threads) top = fmaxf(top, in[j]);
  top = block_reduce<threads>(top, room[0], Max());
  float sum = 0;
  for (int j = threadIdx.x; j < D; j += threads) sum += expf(in[j] - top);
  sum = block_reduce<threads>(sum, room[1], Sum());
  for (int j = threadIdx.x; j < D; j += threads) out[j] = expf(in[j] - top) / sum;
}

template <int Items>
void launch(const float* x, float* y, int N, int D) {
  if (D % 4 == 0) {
    softmax_registers<Items, true><<<N, threads>>>(x, y, D);
  } else {
    softmax_registers<Items, false><<<N, threads>>>(x, y, D);
  }
}

extern "C" void solve(const float* x, float* y, int N, int D) {
  if (D <= 4 * threads) {
    launch<4>(x, y, N, D);
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
