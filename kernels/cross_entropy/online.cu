// strategy: online_softmax
// after: vectorized.cu
// predicts: 30-90% where a row outgrows L1 (V >= 32000): the row is read once, not twice; less at V = 8192
//
// Maximum and sum in one pass with a running rescale; partial results of threads merge as pairs.
#include <cuda_runtime.h>

#include "../lib/quads.cuh"

constexpr int threads = 256;
constexpr int warps = threads / 32;

// The denominator of some elements: sum of exp(x - top). No elements: top = -inf, sum = 0.
struct State {
  float top, sum;
};

__device__ __forceinline__ State merge(State a, State b) {
  const float top = fmaxf(a.top, b.top);
  if (top == -INFINITY) return a;  // both empty: -inf - -inf is not a number
  return {top, a.sum * expf(a.top - top) + b.sum * expf(b.top - top)};
}

__device__ __forceinline__ float quad_exp_sum(float4 v, float top) {
  return (expf(v.x - top) + expf(v.y - top)) + (expf(v.z - top) + expf(v.w - top));
}

// Four values at once, so that the rescale is paid once.
__device__ __forceinline__ void add(State& s, float4 v) {
  const float top = fmaxf(quad_max(v), s.top);
  s.sum = s.sum * expf(s.top - top) + quad_exp_sum(v, top);
  s.top = top;
}

__device__ __forceinline__ State warp_merge(State s) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    const float top = __shfl_xor_sync(0xffffffffu, s.top, step);
    const float sum = __shfl_xor_sync(0xffffffffu, s.sum, step);
    s = merge(s, {top, sum});
  }
  return s;
}

// Valid in every thread. `room` must not be in use by an earlier call without a barrier between.
__device__ State block_merge(State s, State* room) {
  s = warp_merge(s);
  if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = s;
  __syncthreads();
  State all = room[0];
#pragma unroll
  for (int w = 1; w < warps; ++w) all = merge(all, room[w]);
  return all;
}

__device__ __forceinline__ float loss_of(State s, const float* in, int target) {
  return logf(s.sum) + (s.top - in[target]);
}

// V a multiple of 4, so that every row starts on 16 bytes.
__global__ void __launch_bounds__(threads)
    cross_entropy_quads(const float* __restrict__ x, const int* __restrict__ target, float* __restrict__ loss,
                        int V) {
  __shared__ State room[warps];
  const float* in = x + static_cast<size_t>(blockIdx.x) * V;
  const float4* in4 = reinterpret_cast<const float4*>(in);
  State s = {-INFINITY, 0.0f};
  for (int j = threadIdx.x; j < V / 4; j += threads) add(s, in4[j]);
  s = block_merge(s, room);
  if (threadIdx.x == 0) loss[blockIdx.x] = loss_of(s, in, target[blockIdx.x]);
}

__global__ void __launch_bounds__(threads)
    cross_entropy_any(const float* __restrict__ x, const int* __restrict__ target, float* __restrict__ loss,
                      int V) {
  __shared__ State room[warps];
  const float* in = x + static_cast<size_t>(blockIdx.x) * V;
  State s = {-INFINITY, 0.0f};
  for (int j = threadIdx.x; j < V; j += threads) s = merge(s, {in[j], 1.0f});
  s = block_merge(s, room);
  if (threadIdx.x == 0) loss[blockIdx.x] = loss_of(s, in, target[blockIdx.x]);
}

extern "C" void solve(const float* x, const int* target, float* loss, int N, int V) {
  if (V % 4 == 0) {
    cross_entropy_quads<<<N, threads>>>(x, target, loss, V);
  } else {
    cross_entropy_any<<<N, threads>>>(x, target, loss, V);
  }
}
