// strategy: thread_block_clusters
// after: scaled_block.cu
// predicts: 2x and more at 32 x 65536 on sm_90 (256 blocks, one read); no effect from 128 rows on
//
// Where there are fewer rows than multiprocessors, eight blocks in a cluster share a row and exchange their
// maximum and sum through distributed shared memory. Other shapes, and GPUs without clusters, take the path
// of a block a row.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include "../lib/reduce.cuh"
#include "../lib/rows.cuh"

constexpr int threads = 256;  // of a block of eight rows, a warp each
constexpr int warps = threads / 32;
constexpr int most_threads = 1024;
constexpr int cluster_blocks = 8;  // the most that every GPU with clusters takes
constexpr int cluster_threads = 512;
constexpr int cluster_items = 16;
constexpr int cluster_part = cluster_threads * cluster_items;  // elements a block
constexpr int few_rows = 128;                                  // from here on a block a row fills the GPU

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

// The values that every thread of the cluster gets: the blocks' own, combined in the order of their ranks.
template <class Op>
__device__ float cluster_reduce(float v, float* slot, Op op) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  if (threadIdx.x == 0) *slot = v;
  cluster.sync();
  v = Op::empty();
#pragma unroll
  for (int r = 0; r < cluster_blocks; ++r) v = op(v, *cluster.map_shared_rank(slot, r));
#endif
  return v;
}

// A row a cluster: its blocks hold one part of the row each.
template <bool Quad>
__global__ void __launch_bounds__(cluster_threads, 2)
    softmax_cluster(const float* __restrict__ x, float* __restrict__ y, int D) {
  __shared__ float room[2][cluster_threads / 32];
  __shared__ float slots[2];
  const int part = static_cast<int>(blockIdx.x) % cluster_blocks * cluster_part;
  const size_t start = static_cast<size_t>(blockIdx.x / cluster_blocks) * D + part;
  float v[cluster_items];
  load_row<cluster_threads, Quad>(x + start, threadIdx.x, D - part, v);
  float top = block_reduce<cluster_threads>(largest(v), room[0], Max());
  top = cluster_reduce(top, &slots[0], Max());
  float sum = block_reduce<cluster_threads>(exponentials(v, top), room[1], Sum());
  sum = cluster_reduce(sum, &slots[1], Sum());
  divide(v, sum);
  store_row<cluster_threads, Quad>(y + start, threadIdx.x, D - part, v);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cooperative_groups::this_cluster().sync();  // others may still read the slots of this block
#endif
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

// False where the GPU, or the arch this was compiled for, has no clusters.
template <bool Quad>
bool launch_cluster(const float* x, float* y, int N, int D) {
  cudaFuncAttributes attributes;
  if (cudaFuncGetAttributes(&attributes, softmax_cluster<Quad>) != cudaSuccess) return false;
  if (attributes.ptxVersion < 90) return false;
  cudaLaunchAttribute shape = {};
  shape.id = cudaLaunchAttributeClusterDimension;
  shape.val.clusterDim.x = cluster_blocks;
  shape.val.clusterDim.y = shape.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(N) * cluster_blocks);
  config.blockDim = dim3(cluster_threads);
  config.attrs = &shape;
  config.numAttrs = 1;
  if (cudaLaunchKernelEx(&config, softmax_cluster<Quad>, x, y, D) == cudaSuccess) return true;
  cudaGetLastError();  // a block a row will do
  return false;
}

bool in_clusters(const float* x, float* y, int N, int D) {
  if (N >= few_rows || D > cluster_blocks * cluster_part) return false;
  return D % 4 == 0 ? launch_cluster<true>(x, y, N, D) : launch_cluster<false>(x, y, N, D);
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
  } else if (in_clusters(x, y, N, D)) {
    return;
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
