// strategy: distributed_shared_memory
// after: scaled_block.cu
// predicts: 10-30% at 64 x 8192 on sm_90 (256 blocks on 132 SMs) less a cluster barrier; else 0
//
// Where there are fewer rows than multiprocessors, four blocks in a cluster share a row and exchange their
// sums through distributed shared memory.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include "../lib/quads.cuh"
#include "../lib/reduce.cuh"
#include "../lib/rows.cuh"

constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr int cluster_blocks = 4;
constexpr int cluster_threads = 256;
constexpr int cluster_quads = 2;
constexpr int cluster_part = cluster_threads * cluster_quads * 4;  // elements a block
constexpr int few_rows = 128;                                      // from here on a block a row fills the GPU

__device__ __forceinline__ float4 quad_result(float4 v, float scale, float4 w) {
  return make_float4(v.x * scale * w.x, v.y * scale * w.y, v.z * scale * w.z, v.w * scale * w.w);
}

template <int Width, int Quads>
__device__ __forceinline__ void store_row(float4* out, int lane, int quads, const float4 (&v)[Quads],
                                          float scale, const float4* w4) {
#pragma unroll
  for (int k = 0; k < Quads; ++k) {
    const int j = k * Width + lane;
    if (j < quads) out[j] = quad_result(v[k], scale, w4[j]);
  }
}

// D a multiple of 4, at most Quads * 4 * Threads.
template <int Threads, int Quads>
__global__ void __launch_bounds__(Threads)
    rmsnorm_registers(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ y,
                      int D, float eps) {
  __shared__ float room[Threads / 32];
  const float4* in = reinterpret_cast<const float4*>(x + static_cast<size_t>(blockIdx.x) * D);
  float4* out = reinterpret_cast<float4*>(y + static_cast<size_t>(blockIdx.x) * D);
  const float4* w4 = reinterpret_cast<const float4*>(weight);
  const int quads = D / 4, t = threadIdx.x;
  float4 v[Quads];
  load_row<Threads>(in, t, quads, v);
  const float scale = 1.0f / sqrtf(block_sum<Threads>(squares(v), room) / D + eps);
  store_row<Threads>(out, t, quads, v, scale, w4);
}

// A row a warp: no barrier, no shared memory. D a multiple of 4, at most Quads * 4 * 32.
template <int Quads>
__global__ void __launch_bounds__(threads)
    rmsnorm_warp(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ y, int N,
                 int D, float eps) {
  const int lane = threadIdx.x % 32;
  const int row = static_cast<int>(blockIdx.x) * warps + static_cast<int>(threadIdx.x) / 32;
  if (row >= N) return;  // the whole warp
  const float4* in = reinterpret_cast<const float4*>(x + static_cast<size_t>(row) * D);
  float4* out = reinterpret_cast<float4*>(y + static_cast<size_t>(row) * D);
  const float4* w4 = reinterpret_cast<const float4*>(weight);
  const int quads = D / 4;
  float4 v[Quads];
  load_row<32>(in, lane, quads, v);
  const float scale = 1.0f / sqrtf(warp_sum(squares(v)) / D + eps);
  store_row<32>(out, lane, quads, v, scale, w4);
}

__global__ void __launch_bounds__(threads)
    rmsnorm_any(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ y, int D,
                float eps) {
  __shared__ float room[warps];
  const float* in = x + static_cast<size_t>(blockIdx.x) * D;
  float* out = y + static_cast<size_t>(blockIdx.x) * D;
  float squares = 0;
  for (int j = threadIdx.x; j < D; j += threads) squares += square(in[j]);
  const float scale = 1.0f / sqrtf(block_sum<threads>(squares, room) / D + eps);
  for (int j = threadIdx.x; j < D; j += threads) out[j] = in[j] * scale * weight[j];
}

// The sum over the blocks of the cluster, in the order of their ranks: the same bits in all of them.
__device__ float cluster_sum(float v, float* slot) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  if (threadIdx.x == 0) *slot = v;
  cluster.sync();
  v = 0;
#pragma unroll
  for (int r = 0; r < cluster_blocks; ++r) v += *cluster.map_shared_rank(slot, r);
#endif
  return v;
}

// A row a cluster: its blocks hold one part of the row each. D a multiple of 4.
__global__ void __launch_bounds__(cluster_threads)
    rmsnorm_cluster(const float* __restrict__ x, const float* __restrict__ weight, float* __restrict__ y,
                    int D, float eps) {
  __shared__ float room[cluster_threads / 32];
  __shared__ float slot;
  const int part = static_cast<int>(blockIdx.x) % cluster_blocks * cluster_part;
  const size_t start = static_cast<size_t>(blockIdx.x / cluster_blocks) * D + part;
  const float4* in = reinterpret_cast<const float4*>(x + start);
  float4* out = reinterpret_cast<float4*>(y + start);
  const float4* w4 = reinterpret_cast<const float4*>(weight + part);
  const int quads = (D - part) / 4, t = threadIdx.x;  // none or less in the blocks behind the end of the row
  float4 v[cluster_quads];
  load_row<cluster_threads>(in, t, quads, v);
  const float rest = cluster_sum(block_sum<cluster_threads>(squares(v), room), &slot);
  const float scale = 1.0f / sqrtf(rest / D + eps);
  store_row<cluster_threads>(out, t, quads, v, scale, w4);
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cooperative_groups::this_cluster().sync();  // others may still read the slots of this block
#endif
}

// False where the shape does not need it, or the GPU, or the arch this was compiled for, has no clusters.
bool in_clusters(const float* x, const float* weight, float* y, int N, int D, float eps) {
  if (N >= few_rows || D > cluster_blocks * cluster_part) return false;
  cudaFuncAttributes attributes;
  if (cudaFuncGetAttributes(&attributes, rmsnorm_cluster) != cudaSuccess) return false;
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
  if (cudaLaunchKernelEx(&config, rmsnorm_cluster, x, weight, y, D, eps) == cudaSuccess) return true;
  cudaGetLastError();  // a block a row will do
  return false;
}

extern "C" void solve(const float* x, const float* weight, float* y, int N, int D, float eps) {
  const int blocks = (N - 1) / warps + 1;  // of a warp a row
  if (D % 4 != 0 || D > 16 * 1024) {
    rmsnorm_any<<<N, threads>>>(x, weight, y, D, eps);
  } else if (D <= 4 * 32) {
    rmsnorm_warp<1><<<blocks, threads>>>(x, weight, y, N, D, eps);
  } else if (D <= 8 * 32) {
    rmsnorm_warp<2><<<blocks, threads>>>(x, weight, y, N, D, eps);
  } else if (D <= 16 * 32) {
    rmsnorm_warp<4><<<blocks, threads>>>(x, weight, y, N, D, eps);
  } else if (D <= 32 * 32) {
    rmsnorm_warp<8><<<blocks, threads>>>(x, weight, y, N, D, eps);
  } else if (in_clusters(x, weight, y, N, D, eps)) {
    return;
  } else if (D <= 16 * 128) {
    rmsnorm_registers<128, 4><<<N, 128>>>(x, weight, y, D, eps);
  } else if (D <= 16 * 256) {
    rmsnorm_registers<256, 4><<<N, 256>>>(x, weight, y, D, eps);
  } else if (D <= 16 * 512) {
    rmsnorm_registers<512, 4><<<N, 512>>>(x, weight, y, D, eps);
  } else {
    rmsnorm_registers<1024, 4><<<N, 1024>>>(x, weight, y, D, eps);
  }
}
