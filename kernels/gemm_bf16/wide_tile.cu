// strategy: wg_tile_n:up
// after: tma.cu
// predicts: 1.1 to 1.3 times tma.cu at 4096: 48 KB instead of 64 KB from L2 for the same products, and wgmma n256 reads 1/3 less shared memory; 2048 has 128 tiles instead of 256 and may lose (one block a multiprocessor)
//
// A tile of 128 x 256: wgmma m64n256k16, 128 sums a thread, 48 KB a slice.
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
constexpr int threads = 256;                 // two warpgroups of 64 x 256 outputs
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
#endif

// K and N are multiples of 8.
__global__ void __launch_bounds__(threads, 1)
    gemm(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, const bf16* A,
         const bf16* B, bf16* C, int M, int N, int K) {
  const int i0 = blockIdx.y * tile_m, j0 = blockIdx.x * tile_n;
#if HAVE_WGMMA
  extern __shared__ unsigned char shared[];
  __shared__ std::uint64_t barriers[stages];
  const std::uint32_t base = (shared_address(shared) + 1023) / 1024 * 1024;
  const std::uint32_t full = shared_address(barriers);  // 8 bytes a stage
  const int group = threadIdx.x / 128;                  // warpgroup
  const int slices = (K + depth - 1) / depth;
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) barrier_init(full + s * 8, 1);
    barrier_init_done();
    for (int s = 0; s < stages && s < slices; ++s)
      load_slice(base + s * slice_bytes, &map_a, &map_b, full + s * 8, i0, j0, s * depth);
  }
  __syncthreads();
  float sum[tile_n / 2];
  for (int s = 0; s < slices; ++s) {
    const int stage = s % stages;
    const std::uint32_t slice = base + stage * slice_bytes;
    barrier_wait(full + stage * 8, s / stages % 2);
    multiply_slice(sum, slice + group * 64 * 128, slice + slice_a, s == 0);
    wgmma_wait<1>();
    __syncthreads();                  // all are done with slice s - 1
    const int next = s - 1 + stages;  // takes its place
    if (threadIdx.x == 0 && s > 0 && next < slices) {
      const int place = next % stages;
      load_slice(base + place * slice_bytes, &map_a, &map_b, full + place * 8, i0, j0, next * depth);
    }
  }
  wgmma_wait<0>();
  hold(sum);
  store_tile(sum, C, i0 + group * 64, j0, M, N);
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
