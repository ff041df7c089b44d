// strategy: two_stage_reduction
// after: warp_per_row.cu
// predicts: 2-4x at 64 x 32768 (512 blocks instead of 64, less a second launch); the same path elsewhere
//
// Where there are few rows, each is cut into parts of a block each; a second kernel merges the parts of a
// row. The parts lie in memory taken and given back in stream order.
#include <cuda_runtime.h>

#include "../lib/quads.cuh"

constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr int in_flight = 4;     // float4 loads a thread
constexpr int warp_row = 1024;   // the longest row that a warp takes alone
constexpr int few_rows = 256;    // from here on a block a row fills the GPU
constexpr int part_size = 4096;  // logits, if the row then has at most most_parts
constexpr int most_parts = 32;   // a lane each in the second kernel

// The denominator of some elements: sum of exp(x - top). No elements: top = -inf, sum = 0.
struct State {
  float top, sum;
};

__device__ __forceinline__ State merge(State a, State b) {
  const float top = fmaxf(a.top, b.top);
  if (top == -INFINITY) return a;  // both empty: -inf - -inf is not a number
  return {top, a.sum * __expf(a.top - top) + b.sum * __expf(b.top - top)};
}

__device__ __forceinline__ float quad_exp_sum(float4 v, float top) {
  return (__expf(v.x - top) + __expf(v.y - top)) + (__expf(v.z - top) + __expf(v.w - top));
}

// All values at once, so that the rescale is paid once.
template <int Quads>
__device__ __forceinline__ void add(State& s, const float4 (&v)[Quads]) {
  float top = s.top;
#pragma unroll
  for (int k = 0; k < Quads; ++k) top = fmaxf(top, quad_max(v[k]));
  s.sum *= __expf(s.top - top);
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
    for (int k = 0; k < in_flight; ++k) v[k] = in4[j + k * Width];
    add(s, v);
  }
  for (; j < quads; j += Width) {
    const float4 v[1] = {in4[j]};
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

// A row a warp: no barrier, no shared memory.
__global__ void __launch_bounds__(threads)
    cross_entropy_warp(const float* __restrict__ x, const int* __restrict__ target, float* __restrict__ loss,
                       int N, int V) {
  const int lane = threadIdx.x % 32;
  const int row = static_cast<int>(blockIdx.x) * warps + static_cast<int>(threadIdx.x) / 32;
  if (row >= N) return;  // the whole warp
  const float* in = x + static_cast<size_t>(row) * V;
  const State s = warp_merge(walk<32>(in, V, lane));
  if (lane == 0) loss[row] = loss_of(s, in, target[row]);
}

// Part blockIdx.y of row blockIdx.x.
__global__ void __launch_bounds__(threads)
    part_states(const float* __restrict__ x, State* __restrict__ states, int V, int size) {
  __shared__ State room[warps];
  const int begin = static_cast<int>(blockIdx.y) * size;
  const int length = V - begin < size ? V - begin : size;
  const float* in = x + static_cast<size_t>(blockIdx.x) * V + begin;
  const State s = block_merge(walk<threads>(in, length, threadIdx.x), room);
  if (threadIdx.x == 0) states[blockIdx.x * gridDim.y + blockIdx.y] = s;
}

// A row a warp, a part a lane.
__global__ void __launch_bounds__(32)
    merge_parts(const float* __restrict__ x, const int* __restrict__ target, float* __restrict__ loss,
                const State* __restrict__ states, int V, int parts) {
  const int row = blockIdx.x, lane = threadIdx.x;
  State s = {-INFINITY, 0.0f};
  if (lane < parts) s = states[row * parts + lane];
  s = warp_merge(s);
  if (lane == 0) loss[row] = loss_of(s, x + static_cast<size_t>(row) * V, target[row]);
}

// False where the shape does not need it or there is no memory to be had.
bool in_parts(const float* x, const int* target, float* loss, int N, int V) {
  if (N >= few_rows || V < 2 * part_size) return false;
  int size = part_size;
  while ((V - 1) / size >= most_parts) size *= 2;
  const int parts = (V - 1) / size + 1;
  void* states = nullptr;
  if (cudaMallocAsync(&states, sizeof(State) * N * parts, nullptr) != cudaSuccess) {
    cudaGetLastError();  // not an error of ours
    return false;
  }
  part_states<<<dim3(N, parts), threads>>>(x, static_cast<State*>(states), V, size);
  merge_parts<<<N, 32>>>(x, target, loss, static_cast<State*>(states), V, parts);
  cudaFreeAsync(states, nullptr);
  return true;
}

extern "C" void solve(const float* x, const int* target, float* loss, int N, int V) {
  if (V <= warp_row) {
    cross_entropy_warp<<<(N - 1) / warps + 1, threads>>>(x, target, loss, N, V);
  } else if (!in_parts(x, target, loss, N, V)) {
    cross_entropy<<<N, threads>>>(x, target, loss, V);
  }
}
