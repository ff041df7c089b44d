// strategy: vectorized_access
// after: online.cu
// predicts: 1.5-3x at V = 50257 (float4 in rows of odd length); nothing where V is a multiple of 4
//
// Rows of any length by float4: the few elements before the first 16-byte boundary and behind the last one
// are read one by one, and one kernel serves all lengths.
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

// The part of one of Width threads of a row that starts at any address: up to three elements before the first
// 16-byte boundary, whole float4s, and up to three elements behind them.
template <int Width>
__device__ __forceinline__ State walk(const float* in, int V, int lane) {
  const int before = static_cast<int>(16 - reinterpret_cast<size_t>(in) % 16) % 16 / 4;
  const int head = before < V ? before : V;
  const int quads = (V - head) / 4;
  const float4* in4 = reinterpret_cast<const float4*>(in + head);
  State s = {-INFINITY, 0.0f};
  for (int j = lane; j < quads; j += Width) add(s, in4[j]);
  if (lane < V - quads * 4) s = merge(s, {in[lane < head ? lane : lane + quads * 4], 1.0f});
  return s;
}

__global__ void __launch_bounds__(threads)
    cross_entropy(const float* __restrict__ x, const int* __restrict__ target, float* __restrict__ loss,
                  int V) {
  __shared__ State room[warps];
  const float* in = x + static_cast<size_t>(blockIdx.x) * V;
  const State s = block_merge(walk<threads>(in, V, threadIdx.x), room);
  if (threadIdx.x == 0) loss[blockIdx.x] = loss_of(s, in, target[blockIdx.x]);
}

extern "C" void solve(const float* x, const int* target, float* loss, int N, int V) {
  cross_entropy<<<N, threads>>>(x, target, loss, V);
}
