// strategy: thread_block_clusters
// after: scaled_block.cu
// predicts: 2x and more at 32 x 65536 on sm_90 (256 blocks, one read); no effect from 128 rows on
//
// Where there are fewer rows than multiprocessors, eight blocks in a cluster share a row and exchange their
// maximum and sum through distributed shared memory. Other shapes, and GPUs without clusters, take the path
// of a block a row.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

constexpr int threads = 256;  // of a block of eight rows, a warp each
constexpr int warps = threads / 32;
constexpr int most_threads = 1024;
constexpr int cluster_blocks = 8;  // the most that every GPU with clusters takes
constexpr int cluster_threads = 512;
constexpr int cluster_items = 16;
constexpr int cluster_part = cluster_threads * cluster_items;  // elements a block
constexpr int few_rows = 128;                                  // from here on a block a row fills the GPU

struct Max {
  __device__ static float empty() { return -INFINITY; }
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
  __device__ static float empty() { return 0.0f; }
  __device__ float operator()(float a, float b) const { return a + b; }
};

template <class Op>
__device__ __forceinline__ float warp_reduce(float v, Op op) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) v = op(v, __shfl_xor_sync(0xffffffffu, v, step));
  return v;
}

// The result is valid in every thread. `room` must not be in use by an earlier call without a barrier
// between.
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
