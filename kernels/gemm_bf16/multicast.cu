// strategy: tma_multicast
// after: persistent.cu
// predicts: 1.03 to 1.1 times persistent.cu at 4096 (L2 delivers 32 KB instead of 48 KB a slice and block: about 6 instead of 9 TB/s at full rate); at 2048 nothing or a loss, as pairs wait for each other
//
// Clusters of two blocks, one below the other, need the same columns of B: each fetches half of them and the
// copy engine writes it to both. A stage is free when the consumers of both blocks are done with it.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../lib/mbarrier.cuh"
#include "../lib/tma.cuh"
#include "../lib/wgmma.cuh"

using bf16 = __nv_bfloat16;

constexpr int tile_m = 128, tile_n = 256;  // of a block
constexpr int depth = 64;                  // of a slice along K: rows of 128 bytes, which one swizzle spans
constexpr int stages = 4;
[[maybe_unused]] constexpr int consumer_warps = 8;
constexpr int cluster = 2;                   // blocks that share the columns of B, one below the other
constexpr int threads = 384;                 // a producer warpgroup, two consumers of 64 x 256 outputs
constexpr int slice_a = tile_m * depth * 2;  // bytes
constexpr int block_bytes = depth * 64 * 2;  // 64 columns of B, all rows of a slice
constexpr int slice_b = tile_n / 64 * block_bytes;
constexpr int slice_bytes = slice_a + slice_b;
constexpr int shared_bytes = stages * slice_bytes + 1024;  // to start on a multiple of 1024

// wgmma exists in code for exactly sm_90a.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define HAVE_WGMMA 1
#else
#define HAVE_WGMMA 0
#endif

// Any device, any shape: right, not fast.
__device__ __forceinline__ void plain_tile(const bf16* A, const bf16* B, bf16* C, int M, int N, int K, int i0,
                                           int j0) {
  for (int q = threadIdx.x; q < tile_m * tile_n; q += blockDim.x) {
    const int i = i0 + q / tile_n, j = j0 + q % tile_n;
    if (i >= M || j >= N) continue;
    float sum = 0;
    for (int k = 0; k < K; ++k) {
      sum += __bfloat162float(A[static_cast<size_t>(i) * K + k]) *
             __bfloat162float(B[static_cast<size_t>(k) * N + j]);
    }
    C[static_cast<size_t>(i) * N + j] = __float2bfloat16(sum);
  }
}
__global__ void plain_gemm(const bf16* A, const bf16* B, bf16* C, int M, int N, int K) {
  plain_tile(A, B, C, M, N, K, blockIdx.y * tile_m, blockIdx.x * tile_n);
}

struct Tile {
  int i, j;  // its first row and column
};
// Pairs of tiles, one below the other, in the order of rows; `rank` picks one of the pair.
__device__ __forceinline__ Tile tile_of(int index, int columns, int rank) {
  return {(index / columns * cluster + rank) * tile_m, index % columns * tile_n};
}

#if HAVE_WGMMA
// The same barrier in another block of the cluster.
__device__ __forceinline__ void barrier_arrive_in(std::uint32_t barrier, int rank) {
  asm volatile(
      "{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n}" ::"r"(barrier),
      "r"(rank)
      : "memory");
}
__device__ __forceinline__ void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release;\n barrier.cluster.wait.acquire;" ::: "memory");
}
// To the same place of both blocks, counted by the barrier of each.
__device__ __forceinline__ void load_box_for_all(std::uint32_t to, const CUtensorMap* map,
                                                 std::uint32_t barrier, int x, int y) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%0], [%1, {%3, %4}], [%2], %5;" ::"r"(to),
      "l"(map), "r"(barrier), "r"(x), "r"(y), "h"(static_cast<std::uint16_t>((1 << cluster) - 1))
      : "memory");
}

// A slice, by one thread: 128 rows of A, and of B 64 rows of each 64 columns; each block of the cluster
// fetches its share of B for both.
__device__ __forceinline__ void load_slice(std::uint32_t to, const CUtensorMap* a, const CUtensorMap* b,
                                           std::uint32_t barrier, int i0, int j0, int k0, int rank) {
  barrier_expect(barrier, slice_bytes);
  load_box(to, a, barrier, k0, i0);
#pragma unroll
  for (int share = 0; share < tile_n / 64 / cluster; ++share) {
    const int block = rank * (tile_n / 64 / cluster) + share;
    load_box_for_all(to + slice_a + block * block_bytes, b, barrier, j0 + block * 64, k0);
  }
}

// One slice: four instructions of 16 along K. In A that is 32 bytes of each row, in B 16 rows of 128 bytes.
__device__ __forceinline__ void multiply_slice(float (&sum)[tile_n / 2], std::uint32_t a, std::uint32_t b,
                                               bool first) {
  wgmma_fence();
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    // K-major A has no leading offset (16 by convention); in B it is the way to the next 64 columns.
    wgmma(sum, descriptor(a + k * 32, 16), descriptor(b + k * 2048, block_bytes), !first || k > 0);
  }
  wgmma_commit();
}

// The 64 rows of a warpgroup from row i on: a thread holds pairs of neighbours in two rows of each 8 columns.
__device__ __forceinline__ void store_tile(const float (&sum)[tile_n / 2], bf16* C, int i, int j, int M,
                                           int N) {
  const int lane = threadIdx.x % 32;
  i += threadIdx.x / 32 % 4 * 16 + lane / 4, j += lane % 4 * 2;
#pragma unroll
  for (int n = 0; n < tile_n / 8; ++n) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int row = i + half * 8, column = j + n * 8;
      if (row < M && column < N) {  // N is a multiple of 8
        *reinterpret_cast<__nv_bfloat162*>(C + static_cast<size_t>(row) * N + column) =
            __floats2bfloat162_rn(sum[n * 4 + half * 2], sum[n * 4 + half * 2 + 1]);
      }
    }
  }
}

// Slices fill and empty the stages in turn; `full` and `empty` are a barrier (8 bytes) a stage.
struct Ring {
  std::uint32_t base, full, empty;
};

// One thread: starts the copies of a tile's slices as soon as their stages are free; `done` counts the slices
// of the tiles before.
__device__ __forceinline__ void produce(const Ring& ring, const CUtensorMap* a, const CUtensorMap* b, int i0,
                                        int j0, int slices, int done, int rank) {
  for (int s = 0; s < slices; ++s) {
    const int stage = (done + s) % stages, round = (done + s) / stages;
    if (round > 0) barrier_wait(ring.empty + stage * 8, (round - 1) % 2);
    load_slice(ring.base + stage * slice_bytes, a, b, ring.full + stage * 8, i0, j0, s * depth, rank);
  }
}

// A warp is done with a stage: both blocks fill it.
__device__ __forceinline__ void release(const Ring& ring, int stage) {
  if (threadIdx.x % 32 < cluster) barrier_arrive_in(ring.empty + stage * 8, threadIdx.x % 32);
}

// A warpgroup: multiplies slice by slice, and gives a stage back, to both blocks of the cluster, when the
// products of the next are under way.
__device__ __forceinline__ void consume(const Ring& ring, float (&sum)[tile_n / 2], int group, int slices,
                                        int done) {
  for (int s = 0; s < slices; ++s) {
    const int stage = (done + s) % stages;
    const std::uint32_t slice = ring.base + stage * slice_bytes;
    barrier_wait(ring.full + stage * 8, (done + s) / stages % 2);
    multiply_slice(sum, slice + group * 64 * 128, slice + slice_a, s == 0);
    wgmma_wait<1>();
    if (s > 0) release(ring, (done + s - 1) % stages);
  }
  wgmma_wait<0>();
  release(ring, (done + slices - 1) % stages);
  hold(sum);
}
#endif

// K and N are multiples of 8.
__global__ void __launch_bounds__(threads, 1)
    gemm(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, const bf16* A,
         const bf16* B, bf16* C, int M, int N, int K) {
  const int columns = (N + tile_n - 1) / tile_n;
  const int pairs = (M + cluster * tile_m - 1) / (cluster * tile_m) * columns;
  const int rank = blockIdx.x % cluster;
#if HAVE_WGMMA
  extern __shared__ unsigned char shared[];
  __shared__ std::uint64_t barriers[2 * stages];
  const Ring ring = {(shared_address(shared) + 1023) / 1024 * 1024, shared_address(barriers),
                     shared_address(barriers + stages)};
  const int slices = (K + depth - 1) / depth;
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) {
      barrier_init(ring.full + s * 8, 1);
      barrier_init(ring.empty + s * 8, cluster * consumer_warps);
    }
    barrier_init_done();
  }
  cluster_sync();  // the barriers of both blocks are ready
  if (threadIdx.x < 128) {
    if (threadIdx.x == 0) {
      int done = 0;
      for (int t = blockIdx.x / cluster; t < pairs; t += gridDim.x / cluster, done += slices) {
        const Tile at = tile_of(t, columns, rank);
        produce(ring, &map_a, &map_b, at.i, at.j, slices, done, rank);
      }
    }
  } else {
    const int group = threadIdx.x / 128 - 1;
    int done = 0;
    for (int t = blockIdx.x / cluster; t < pairs; t += gridDim.x / cluster, done += slices) {
      const Tile at = tile_of(t, columns, rank);
      float sum[tile_n / 2];
      consume(ring, sum, group, slices, done);
      store_tile(sum, C, at.i + group * 64, at.j, M, N);
    }
  }
  cluster_sync();  // no block ends while the other may still write to it
#else
  for (int t = blockIdx.x / cluster; t < pairs; t += gridDim.x / cluster) {
    const Tile at = tile_of(t, columns, rank);
    plain_tile(A, B, C, M, N, K, at.i, at.j);
  }
#endif
}

// Hopper, rows that start on 16 bytes, and both matrices described.
bool can_copy_boxes(CUtensorMap* a, CUtensorMap* b, const bf16* A, const bf16* B, int M, int N, int K) {
  int device = 0, major = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (major != 9 || K % 8 != 0 || N % 8 != 0) return false;
  const Encode encode = find_encode();
  return encode != nullptr && make_map(encode, a, A, M, K, tile_m) && make_map(encode, b, B, K, N, depth);
}

extern "C" void solve(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
  const dim3 grid((N + tile_n - 1) / tile_n, (M + tile_m - 1) / tile_m);
  CUtensorMap map_a, map_b;
  if (can_copy_boxes(&map_a, &map_b, A, B, M, N, K)) {
    int device = 0, processors = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    const int pairs = static_cast<int>(grid.x * ((grid.y + cluster - 1) / cluster));
    const int clusters = pairs < processors / cluster ? pairs : processors / cluster;
    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
    cudaLaunchAttribute together[1];
    together[0].id = cudaLaunchAttributeClusterDimension;
    together[0].val.clusterDim.x = cluster, together[0].val.clusterDim.y = 1,
    together[0].val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(clusters * cluster), config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared_bytes;
    config.attrs = together, config.numAttrs = 1;
    cudaLaunchKernelEx(&config, gemm, map_a, map_b, A, B, C, M, N, K);
  } else {
    plain_gemm<<<grid, 256>>>(A, B, C, M, N, K);
  }
}
