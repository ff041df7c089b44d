// strategy: increase_ilp
// after: aligned_head.cu
// predicts: 10-30% for V >= 8192: 64 bytes in flight a thread, one rescale in 16 values; 0 at V = 256
//
// Four float4 loads leave before the running maximum and sum take in all 16 values at once.
#include <cuda_runtime.h>

#include "../lib/quads.cuh"
#include "../lib/streaming.cuh"

// 1: exp by one multiplication and the special function unit. Its error grows with |x - top|, as that of the
// exact exp of a rounded difference does.
#ifndef FAST_EXP
#define FAST_EXP 0
#endif

constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr int in_flight = 4;  // float4 loads a thread

__device__ __forceinline__ float exponential(float x) {
#if FAST_EXP
  return __expf(x);
#else
  return expf(x);
#endif
}

// The denominator of some elements: sum of exp(x - top). No elements: top = -inf, sum = 0.
struct State {
  float top, sum;
};

__device__ __forceinline__ State merge(State a, State b) {
  const float top = fmaxf(a.top, b.top);
  if (top == -INFINITY) return a;  // both empty: -inf - -inf is not a number
  return {top, a.sum * exponential(a.top - top) + b.sum * exponential(b.top - top)};
}

__device__ __forceinline__ float quad_exp_sum(float4 v, float top) {
  return (exponential(v.x - top) + exponential(v.y - top)) +
         (exponential(v.z - top) + exponential(v.w - top));
}

// All values at once, so that the rescale is paid once.
template <int Quads>
__device__ __forceinline__ void add(State& s, const float4 (&v)[Quads]) {
  float top = s.top;
#pragma unroll
  for (int k = 0; k < Quads; ++k) top = fmaxf(top, quad_max(v[k]));
  s.sum *= exponential(s.top - top);
#pragma unroll
  for (int k = 0; k < Quads; ++k) s.sum += quad_exp_sum(v[k], top);
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
  int j = lane;
  for (; j < quads - (in_flight - 1) * Width; j += in_flight * Width) {
    float4 v[in_flight];
#pragma unroll
    for (int k = 0; k < in_flight; ++k) v[k] = load_once(in4 + j + k * Width);
    add(s, v);
  }
  for (; j < quads; j += Width) {
    const float4 v[1] = {load_once(in4 + j)};
    add(s, v);
  }
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
