// strategy: wgmma
// after: warp_tile.cu
// predicts: 1.5 to 2 times warp_tile.cu: mma.sync reaches about 60% of the tensor cores' rate on sm_90, wgmma all of it, and reads its operands from shared memory without ldmatrix; still limited by cp.async issue and one barrier a slice
//
// wgmma m64n128k16: two warpgroups share a 128 x 128 tile; both operands come from shared memory in the
// 128-byte swizzle (A along K, B along N, transposed by the instruction). cp.async fills four slices; the
// products of one slice run while those of the next are issued. Needs sm_90a, else the plain path.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../lib/cp_async.cuh"
#include "../lib/wgmma.cuh"

using bf16 = __nv_bfloat16;

constexpr int tile_m = 128, tile_n = 128;  // of a block
constexpr int depth = 64;                  // of a slice along K: rows of 128 bytes, which one swizzle spans
constexpr int stages = 4;
[[maybe_unused]] constexpr int ahead = 2;    // slices on their way; the other two are being multiplied
constexpr int threads = 256;                 // two warpgroups of 64 x 128 outputs
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
// All but the latest N groups have arrived, and wgmma may read them after the next barrier.
template <int N>
__device__ __forceinline__ void wait_for_wgmma() {
  cp_async_wait<N>();
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// The swizzle: piece c (16 bytes) of row r lies at c ^ r % 8.
__device__ __forceinline__ std::uint32_t place(int row, int piece) {
  return row * 128 + ((piece ^ (row % 8)) * 16);
}

// A slice: 128 rows of A, and of B 64 rows of each 64 columns; zeros outside.
__device__ __forceinline__ void load_slice(std::uint32_t a, const bf16* A, const bf16* B, int i0, int j0,
                                           int k0, int M, int N, int K) {
  const std::uint32_t b = a + slice_a;
#pragma unroll
  for (int q = threadIdx.x; q < tile_m * 8; q += threads) {
    const int row = q / 8, piece = q % 8;
    const bool valid = i0 + row < M && k0 + piece * 8 < K;
    cp_async_16(a + place(row, piece), valid ? A + static_cast<size_t>(i0 + row) * K + k0 + piece * 8 : A,
                valid);
  }
#pragma unroll
  for (int q = threadIdx.x; q < depth * tile_n / 8; q += threads) {
    const int row = q / (tile_n / 8), piece = q % (tile_n / 8);
    const bool valid = k0 + row < K && j0 + piece * 8 < N;
    cp_async_16(b + piece / 8 * block_bytes + place(row, piece % 8),
                valid ? B + static_cast<size_t>(k0 + row) * N + j0 + piece * 8 : B, valid);
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
#endif

// K and N are multiples of 8.
__global__ void __launch_bounds__(threads, 1)
    gemm(const bf16* __restrict__ A, const bf16* __restrict__ B, bf16* __restrict__ C, int M, int N, int K) {
  const int i0 = blockIdx.y * tile_m, j0 = blockIdx.x * tile_n;
#if HAVE_WGMMA
  extern __shared__ unsigned char shared[];
  const std::uint32_t base = (shared_address(shared) + 1023) / 1024 * 1024;
  const int group = threadIdx.x / 128;  // warpgroup
  const int slices = (K + depth - 1) / depth;
#pragma unroll
  for (int s = 0; s < ahead; ++s) {
    if (s < slices) load_slice(base + s * slice_bytes, A, B, i0, j0, s * depth, M, N, K);
    cp_async_commit();  // also when empty, so that groups count slices
  }
  float sum[tile_n / 2];
  for (int s = 0; s < slices; ++s) {
    wait_for_wgmma<ahead - 1>();
    __syncthreads();  // slice s is there, and all are done with slice s - 2
    const std::uint32_t slice = base + s % stages * slice_bytes;
    multiply_slice(sum, slice + group * 64 * 128, slice + slice_a, s == 0);
    const int next = s + ahead;  // takes the place of slice s - 2
    if (next < slices) load_slice(base + next % stages * slice_bytes, A, B, i0, j0, next * depth, M, N, K);
    cp_async_commit();
    wgmma_wait<1>();  // slice s - 1 is done
  }
  wgmma_wait<0>();
  hold(sum);
  store_tile(sum, C, i0 + group * 64, j0, M, N);
#else
  plain_tile(A, B, C, M, N, K, i0, j0);
#endif
}

extern "C" void solve(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
  const dim3 grid((N + tile_n - 1) / tile_n, (M + tile_m - 1) / tile_m);
  int device = 0, major = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (major == 9 && K % 8 == 0 && N % 8 == 0) {
    cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
    gemm<<<grid, threads, shared_bytes>>>(A, B, C, M, N, K);
  } else {
    plain_gemm<<<grid, 256>>>(A, B, C, M, N, K);
  }
}
