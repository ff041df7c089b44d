// strategy: online_softmax
// after: row_per_block.cu
// predicts: even on sm_90: 2-5% from a barrier less at D = 1024, paid back by two exp a merge step
//
// Each thread takes exp relative to its own maximum; one reduction of (maximum, sum) pairs replaces two,
// and each thread corrects its values by one factor.
#include <cuda_runtime.h>

constexpr int threads = 256;
constexpr int warps = threads / 32;

struct Max {
  __device__ static float empty() { return -INFINITY; }
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
  __device__ static float empty() { return 0.0f; }
  __device__ float operator()(float a, float b) const { return a + b; }
};

// The result is valid in every thread. `room` must not be in use by an earlier call without a barrier
// between.
template <class Op>
__device__ float block_reduce(float v, float* room, Op op) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) v = op(v, __shfl_xor_sync(0xffffffffu, v, step));
  if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = v;
  __syncthreads();
  float all = Op::empty();
#pragma unroll
  for (int w = 0; w < warps; ++w) all = op(all, room[w]);
  return all;
}

// Width threads hold a row, Items values each; with Quad (D a multiple of 4) four of them are neighbours.
// Beyond the row: -inf, whose exp is 0.
template <int Width, bool Quad, int Items>
__device__ __forceinline__ void load_row(const float* in, int lane, int D, float (&v)[Items]) {
  if (Quad) {
#pragma unroll
    for (int k = 0; k < Items; k += 4) {
      const int j = k * Width + lane * 4;
      float4 q = make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
      if (j < D) q = *reinterpret_cast<const float4*>(in + j);
      v[k] = q.x, v[k + 1] = q.y, v[k + 2] = q.z, v[k + 3] = q.w;
    }
  } else {
#pragma unroll
    for (int k = 0; k < Items; ++k) {
      const int j = k * Width + lane;
      v[k] = j < D ? in[j] : -INFINITY;
    }
  }
}
template <int Width, bool Quad, int Items>
__device__ __forceinline__ void store_row(float* out, int lane, int D, const float (&v)[Items]) {
  if (Quad) {
#pragma unroll
    for (int k = 0; k < Items; k += 4) {
      const int j = k * Width + lane * 4;
      if (j < D) *reinterpret_cast<float4*>(out + j) = make_float4(v[k], v[k + 1], v[k + 2], v[k + 3]);
    }
  } else {
#pragma unroll
    for (int k = 0; k < Items; ++k) {
      const int j = k * Width + lane;
      if (j < D) out[j] = v[k];
    }
  }
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
  top = block_reduce(top, room[0], Max());
  float sum = 0;
  for (int j = threadIdx.x; j < D; j += threads) sum += expf(in[j] - top);
  sum = block_reduce(sum, room[1], Sum());
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
