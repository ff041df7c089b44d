// strategy: setmaxnreg_rebalance
// after: specialized.cu
// predicts: no gain (within 1%): 168 registers a thread already hold the 128 sums without spills, so the
// registers that producers give up are not missed The producer warpgroup shrinks to 40 registers a thread,
// the consumers grow to 232.
#include <cuda.h>  // types only: the one driver function is looked up at run time
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

using bf16 = __nv_bfloat16;

using PFN_encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                const cuuint64_t*, const cuuint32_t*, const cuuint32_t*,
                                CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                                CUtensorMapFloatOOBfill);

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
__device__ __forceinline__ std::uint32_t shared_address(const void* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

// Barriers in shared memory: a phase ends when `count` threads have arrived and all bytes announced are
// there.
__device__ __forceinline__ void barrier_init(std::uint32_t barrier, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}
// The copy engine sees the barriers that were set up.
__device__ __forceinline__ void barrier_init_done() {
  asm volatile("fence.mbarrier_init.release.cluster;\n fence.proxy.async.shared::cta;" ::: "memory");
}
// Arrives, and announces bytes.
__device__ __forceinline__ void barrier_expect(std::uint32_t barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}
// Waits until the phase of this parity has ended.
__device__ __forceinline__ void barrier_wait(std::uint32_t barrier, int parity) {
  int done = 0;
  while (!done) {
    asm volatile(
        "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.b32 %0, 1, 0, p;\n}"
        : "=r"(done)
        : "r"(barrier), "r"(parity)
        : "memory");
  }
}

// One box of a matrix, from column x and row y on, to shared memory; the barrier counts its bytes. Zeros
// outside of the matrix.
__device__ __forceinline__ void load_box(std::uint32_t to, const CUtensorMap* map, std::uint32_t barrier,
                                         int x, int y) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], "
      "[%2];" ::"r"(to),
      "l"(map), "r"(barrier), "r"(x), "r"(y)
      : "memory");
}
__device__ __forceinline__ void barrier_arrive(std::uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

// A slice, by one thread: 128 rows of A, and of B 64 rows of each 64 columns.
__device__ __forceinline__ void load_slice(std::uint32_t to, const CUtensorMap* a, const CUtensorMap* b,
                                           std::uint32_t barrier, int i0, int j0, int k0) {
  barrier_expect(barrier, slice_bytes);
  load_box(to, a, barrier, k0, i0);
#pragma unroll
  for (int block = 0; block < tile_n / 64; ++block)
    load_box(to + slice_a + block * block_bytes, b, barrier, j0 + block * 64, k0);
}

__device__ __forceinline__ void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
// All but the latest `Pending` groups are done.
template <int Pending>
__device__ __forceinline__ void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
}

// Matrix descriptor of a tile in the 128-byte swizzle: address, leading and stride offsets in units of 16
// bytes. Rows of 128 bytes come in groups of eight, 1024 bytes apart.
__device__ __forceinline__ std::uint64_t descriptor(std::uint32_t address, int leading) {
  return (static_cast<std::uint64_t>(1) << 62) | (static_cast<std::uint64_t>(1024 >> 4) << 32) |
         (static_cast<std::uint64_t>(leading >> 4) << 16) | ((address & 0x3FFFF) >> 4);
}

// The sums of a thread as operands of an asm statement.
#define HOLD_4(I) "+f"(d[I]), "+f"(d[I + 1]), "+f"(d[I + 2]), "+f"(d[I + 3])
#define HOLD_16(I) HOLD_4(I), HOLD_4(I + 4), HOLD_4(I + 8), HOLD_4(I + 12)

// d = a b, plus d if `add`; 64 x 256 x 16 by a warpgroup. A lies along K, B along N (the last 1: transposed).
__device__ __forceinline__ void wgmma(float (&d)[128], std::uint64_t a, std::uint64_t b, int add) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, "
      "%19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, "
      "%36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, "
      "%53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, "
      "%70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, "
      "%87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, "
      "%103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, "
      "%117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
      "}, %128, %129, p, 1, 1, 0, 1;\n}"
      : HOLD_16(0), HOLD_16(16), HOLD_16(32), HOLD_16(48), HOLD_16(64), HOLD_16(80), HOLD_16(96), HOLD_16(112)
      : "l"(a), "l"(b), "r"(add));
}
// Keeps reads of the sums behind the wait before it.
__device__ __forceinline__ void hold(float (&d)[128]) {
#pragma unroll
  for (int i = 0; i < 128; i += 16) asm volatile("" : HOLD_16(i)::"memory");
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
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0) produce(ring, &map_a, &map_b, i0, j0, slices);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    const int group = threadIdx.x / 128 - 1;
    float sum[tile_n / 2];
    consume(ring, sum, group, slices);
    store_tile(sum, C, i0 + group * 64, j0, M, N);
  }
#else
  plain_tile(A, B, C, M, N, K, i0, j0);
#endif
}

// cuTensorMapEncodeTiled, found at run time, so that nothing need be linked; null where it is missing.
PFN_encode find_encode() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
#if CUDART_VERSION >= 12050
  const cudaError_t error =
      cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found);
#else
  const cudaError_t error =
      cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &found);
#endif
  return error == cudaSuccess && found == cudaDriverEntryPointSuccess ? reinterpret_cast<PFN_encode>(function)
                                                                      : nullptr;
}

// A row-major matrix, copied in boxes of `box_rows` x 64 elements in the 128-byte swizzle.
bool make_map(PFN_encode encode, CUtensorMap* map, const bf16* data, int rows, int columns, int box_rows) {
  const cuuint64_t size[2] = {static_cast<cuuint64_t>(columns), static_cast<cuuint64_t>(rows)};
  const cuuint64_t stride[1] = {static_cast<cuuint64_t>(columns) * sizeof(bf16)};
  const cuuint32_t box[2] = {64, static_cast<cuuint32_t>(box_rows)};
  const cuuint32_t step[2] = {1, 1};
  return encode(map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, const_cast<bf16*>(data), size, stride, box, step,
                CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

// Hopper, rows that start on 16 bytes, and both matrices described.
bool can_copy_boxes(CUtensorMap* a, CUtensorMap* b, const bf16* A, const bf16* B, int M, int N, int K) {
  int device = 0, major = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (major != 9 || K % 8 != 0 || N % 8 != 0) return false;
  const PFN_encode encode = find_encode();
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
