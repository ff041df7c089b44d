// Reductions over a warp and a block; the result is valid in every thread.
#pragma once

struct Sum {
  __device__ static float empty() { return 0.0f; }
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct Max {
  __device__ static float empty() { return -INFINITY; }
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

template <class Op>
__device__ __forceinline__ float warp_reduce(float v, Op op) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) v = op(v, __shfl_xor_sync(0xffffffffu, v, step));
  return v;
}

// `room` holds a value a warp and must not be in use by an earlier call without a barrier between.
template <int Threads, class Op>
__device__ float block_reduce(float v, float* room, Op op) {
  v = warp_reduce(v, op);
  if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = v;
  __syncthreads();
  float all = Op::empty();
#pragma unroll
  for (int w = 0; w < Threads / 32; ++w) all = op(all, room[w]);
  return all;
}

__device__ __forceinline__ float warp_sum(float v) { return warp_reduce(v, Sum()); }
template <int Threads>
__device__ float block_sum(float v, float* room) {
  return block_reduce<Threads>(v, room, Sum());
}
