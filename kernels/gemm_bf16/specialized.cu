// strategy: warp_specialization
// after: wide_tile.cu
// predicts: 1.05 to 1.2 times wide_tile.cu at every timed size: no barrier of the whole block a slice; each consumer runs on as soon as its slice is there
//
// A producer warpgroup (one thread of it) starts the copies; two consumer warpgroups multiply. Two barriers a
// stage: full (bytes arrived) and empty (all eight consumer warps are done). Needs sm_90a, else the plain
// path.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../lib/mbarrier.cuh"
#include "../lib/tma.cuh"
#include "../lib/wgmma.cuh"

using bf16 = __nv_bfloat16;

// 1: the producer warpgroup shrinks to 40 registers a thread, and the consumers grow to 232.
#ifndef REBALANCE
#define REBALANCE 0
#endif

constexpr int tile_m = 128, tile_n = 256;  // of a block
constexpr int depth = 64;                  // of a slice along K: rows of 128 bytes, which one swizzle spans
constexpr int stages = 4;
[[maybe_unused]] constexpr int consumer_warps = 8;
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

#if HAVE_WGMMA
// A slice, by one thread: 128 rows of A, and of B 64 rows of each 64 columns.
__device__ __forceinline__ void load_slice(std::uint32_t to, const CUtensorMap* a, const CUtensorMap* b,
                                           std::uint32_t barrier, int i0, int j0, int k0) {
  barrier_expect(barrier, slice_bytes);
  load_box(to, a, barrier, k0, i0);
#pragma unroll
  for (int block = 0; block < tile_n / 64; ++block)
    load_box(to + slice_a + block * block_bytes, b, barrier, j0 + block * 64, k0);
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

// One thread: starts the copies of a tile's slices as soon as their stages are free.
__device__ __forceinline__ void produce(const Ring& ring, const CUtensorMap* a, const CUtensorMap* b, int i0,
                                        int j0, int slices) {
  for (int s = 0; s < slices; ++s) {
    const int stage = s % stages, round = s / stages;
    if (round > 0) barrier_wait(ring.empty + stage * 8, (round - 1) % 2);
    load_slice(ring.base + stage * slice_bytes, a, b, ring.full + stage * 8, i0, j0, s * depth);
  }
}

// A warpgroup: multiplies slice by slice, and gives a stage back when the products of the next are under way.
__device__ __forceinline__ void consume(const Ring& ring, float (&sum)[tile_n / 2], int group, int slices) {
  for (int s = 0; s < slices; ++s) {
    const int stage = s % stages;
    const std::uint32_t slice = ring.base + stage * slice_bytes;
    barrier_wait(ring.full + stage * 8, s / stages % 2);
    multiply_slice(sum, slice + group * 64 * 128, slice + slice_a, s == 0);
    wgmma_wait<1>();
    if (s > 0 && threadIdx.x % 32 == 0) barrier_arrive(ring.empty + (s - 1) % stages * 8);
  }
  wgmma_wait<0>();
  hold(sum);
}
#endif

// K and N are multiples of 8.
__global__ void __launch_bounds__(threads, 1)
    gemm(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, const bf16* A,
         const bf16* B, bf16* C, int M, int N, int K) {
  const int i0 = blockIdx.y * tile_m, j0 = blockIdx.x * tile_n;
#if HAVE_WGMMA
  extern __shared__ unsigned char shared[];
  __shared__ std::uint64_t barriers[2 * stages];
  const Ring ring = {(shared_address(shared) + 1023) / 1024 * 1024, shared_address(barriers),
                     shared_address(barriers + stages)};
  const int slices = (K + depth - 1) / depth;
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) {
      barrier_init(ring.full + s * 8, 1);
      barrier_init(ring.empty + s * 8, consumer_warps);
    }
    barrier_init_done();
  }
  __syncthreads();
  if (threadIdx.x < 128) {
#if REBALANCE
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
#endif
    if (threadIdx.x == 0) produce(ring, &map_a, &map_b, i0, j0, slices);
  } else {
#if REBALANCE
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
#endif
    const int group = threadIdx.x / 128 - 1;
    float sum[tile_n / 2];
    consume(ring, sum, group, slices);
    store_tile(sum, C, i0 + group * 64, j0, M, N);
  }
#else
  plain_tile(A, B, C, M, N, K, i0, j0);
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
    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
    gemm<<<grid, threads, shared_bytes>>>(map_a, map_b, A, B, C, M, N, K);
  } else {
    plain_gemm<<<grid, 256>>>(A, B, C, M, N, K);
  }
}
