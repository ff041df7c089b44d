// strategy: online_softmax
// after: row_per_block.cu
// predicts: even on sm_90: 2-5% from a barrier less at D = 1024, paid back by two exp a merge step
//
// Each thread takes exp relative to its own maximum; one reduction of (maximum, sum) pairs replaces two,
// and each thread corrects its values by one factor.
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

template <int Items>
__device__ __forceinline__ void scale(float (&v)[Items], float factor) {
#pragma unroll
  for (int k = 0; k < Items; ++k) v[k] *= factor;
}

// The softmax denominator of some elements: sum of exp(x - top). No elements: top = -inf, sum = 0.
struct State {
  float top, sum;
};

__device__ __forceinline__ State merge(State a, State b) {
  const float top = fmaxf(a.top, b.top);
  if (top == -INFINITY) return a;  // both empty: -inf - -inf is not a number
  return {top, a.sum * expf(a.top - top) + b.sum * expf(b.top - top)};
}

// The result is valid in every thread.
__device__ State block_merge(State s, State* room) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    const float top = __shfl_xor_sync(0xffffffffu, s.top, step);
    const float sum = __shfl_xor_sync(0xffffffffu, s.sum, step);
    s = merge(s, {top, sum});
  }
  if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = s;
  __syncthreads();
  State all = room[0];
#pragma unroll
  for (int w = 1; w < warps; ++w) all = merge(all, room[w]);
  return all;
}

template <int Items, bool Quad>
__global__ void __launch_bounds__(threads)
    softmax_registers(const float* __restrict__ x, float* __restrict__ y, int D) {
  __shared__ State room[warps];
  const size_t start = static_cast<size_t>(blockIdx.x) * D;
  float v[Items];
  load_row<threads, Quad>(x + start, threadIdx.x, D, v);
  const float mine = largest(v);
  // A thread without elements subtracts 0, since -inf - -inf is not a number; its values become 0.
  const float sum = exponentials(v, mine == -INFINITY ? 0.0f : mine);
  const State all = block_merge({mine, sum}, room);
  divide(v, all.sum);
  scale(v, expf(mine - all.top));
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
