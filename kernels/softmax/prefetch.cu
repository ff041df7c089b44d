// strategy: software_pipelining
// after: persistent.cu
// predicts: 3-10%, so level with fast_exp.cu: loads overlap reductions, registers cost residency
//
// While a row is reduced, the next one is already on its way into a second set of registers.
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

template <int Items, bool Quad>
__global__ void __launch_bounds__(threads)
    softmax_registers(const float* __restrict__ x, float* __restrict__ y, int N, int D) {
  __shared__ float room[2][warps];  // each is written again only behind the barrier of the other
  const int stride = gridDim.x;
  float next[Items];
  load_row<threads, Quad>(x + static_cast<size_t>(blockIdx.x) * D, threadIdx.x, D, next);
  for (int row = blockIdx.x; row < N; row += stride) {
    float v[Items];
#pragma unroll
    for (int k = 0; k < Items; ++k) v[k] = next[k];
    if (row < N - stride) {
      load_row<threads, Quad>(x + static_cast<size_t>(row + stride) * D, threadIdx.x, D, next);
    }
    const float top = block_reduce<threads>(largest(v), room[0], Max());
    const float sum = block_reduce<threads>(exponentials(v, top), room[1], Sum());
    divide(v, sum);
    store_row<threads, Quad>(y + static_cast<size_t>(row) * D, threadIdx.x, D, v);
  }
}

// A row a warp: no barrier, no shared memory.
template <int Items, bool Quad>
__global__ void __launch_bounds__(threads)
    softmax_warp(const float* __restrict__ x, float* __restrict__ y, int N, int D) {
  const int lane = threadIdx.x % 32;
  const int first = static_cast<int>(blockIdx.x) * warps + static_cast<int>(threadIdx.x) / 32;
  const int stride = static_cast<int>(gridDim.x) * warps;
  if (first >= N) return;  // the whole warp
  float next[Items];
  load_row<32, Quad>(x + static_cast<size_t>(first) * D, lane, D, next);
  for (int row = first; row < N; row += stride) {
    float v[Items];
#pragma unroll
    for (int k = 0; k < Items; ++k) v[k] = next[k];
    if (row < N - stride) load_row<32, Quad>(x + static_cast<size_t>(row + stride) * D, lane, D, next);
    const float top = warp_reduce(largest(v), Max());
    const float sum = warp_reduce(exponentials(v, top), Sum());
    divide(v, sum);
    store_row<32, Quad>(y + static_cast<size_t>(row) * D, lane, D, v);
  }
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
  for (int j = threadIdx.x; j < D; j += threads) sum += __expf(in[j] - top);
  sum = block_reduce<threads>(sum, room[1], Sum());
  for (int j = threadIdx.x; j < D; j += threads) out[j] = __expf(in[j] - top) / sum;
}

// As many blocks as the GPU holds at once, but no more than there is work for.
template <class Kernel>
int resident(Kernel kernel, int wanted) {
  int device = 0, multiprocessors = 1, each = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, 0);
  const int most = multiprocessors * (each > 0 ? each : 1);
  return wanted < most ? wanted : most;
}

template <int Items>
void launch(const float* x, float* y, int N, int D) {
  auto kernel = D % 4 == 0 ? softmax_registers<Items, true> : softmax_registers<Items, false>;
  kernel<<<resident(kernel, N), threads>>>(x, y, N, D);
}

template <int Items>
void launch_warp(const float* x, float* y, int N, int D) {
  auto kernel = D % 4 == 0 ? softmax_warp<Items, true> : softmax_warp<Items, false>;
  kernel<<<resident(kernel, (N - 1) / warps + 1), threads>>>(x, y, N, D);
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
