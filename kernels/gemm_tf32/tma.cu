// strategy: tma_loads
// after: wgmma.cu
// predicts: 1.1 to 1.4x from 2048 on: one thread brings a slice with two instructions, not each with twelve
//
// The copy engine computes addresses, swizzles A and fills with zeros; a barrier in shared memory counts the
// bytes that arrive. Boxes of B are 8 columns wider than the tile, which sets rows 8 banks apart.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>

// wgmma exists in code for exactly sm_90a.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define HAVE_WGMMA 1
#else
#define HAVE_WGMMA 0
#endif

// C is computed as its transpose: what wgmma calls A is B transposed and comes from registers, so nothing is
// transposed in shared memory; what it calls B is A, whose rows lie along K as wgmma wants them. B is
// rounded to nearest on its way; of A the tensor cores drop the low bits, which tf32's tolerance allows.
constexpr int columns = 128;        // of a tile of C: 64 a warpgroup
constexpr int depth = 32;           // of a slice along K: 128 bytes of A's rows, as the swizzle
constexpr int pitch = columns + 8;  // of B in shared memory: 8 mod 32, against conflicts
constexpr int stages = 4;
constexpr int threads = 256;  // two warpgroups
constexpr int bytes_b = depth * pitch * 4;
__host__ __device__ constexpr int bytes_a(int rows) { return rows * depth * 4; }
constexpr int shared_bytes(int rows) { return stages * (bytes_a(rows) + bytes_b) + 1024; }  // and alignment

#if HAVE_WGMMA
__device__ __forceinline__ std::uint32_t address(const void* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ void barrier_init(std::uint64_t* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(barrier)), "r"(arrivals) : "memory");
}
// One arrival, and `bytes` more must be copied before the phase ends.
__device__ __forceinline__ void barrier_expect(std::uint64_t* barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(barrier)), "r"(bytes)
               : "memory");
}
// Until the phase of this parity has ended.
__device__ __forceinline__ void barrier_wait(std::uint64_t* barrier, int parity) {
  asm volatile(
      "{\n.reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again;\n}" ::"r"(address(barrier)),
      "r"(parity)
      : "memory");
}

// A box of the matrix, from column x and row y on, zeros outside.
__device__ __forceinline__ void copy_box(void* to, const CUtensorMap* map, int x, int y,
                                         std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
      "[%4];" ::"r"(address(to)),
      "l"(map), "r"(x), "r"(y), "r"(address(barrier))
      : "memory");
}

__device__ __forceinline__ unsigned to_tf32(float v) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(v));
  return bits;
}

__device__ __forceinline__ void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int N>
__device__ __forceinline__ void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

// Rows of 128 bytes in the 128-byte swizzle (62: mode 1), groups of 8 rows 1024 bytes apart (32).
__device__ __forceinline__ std::uint64_t descriptor(const void* tile) {
  return (std::uint64_t(1) << 62) | (std::uint64_t(1024 >> 4) << 32) | (std::uint64_t(1) << 16) |
         ((address(tile) & 0x3FFFFu) >> 4);
}

// d += a b with a of 64 x 8 in registers and b of 8 x 64 or 8 x 256 in shared memory.
#define F4(I) "+f"(d[I]), "+f"(d[I + 1]), "+f"(d[I + 2]), "+f"(d[I + 3])
#define F16(I) F4(I), F4(I + 4), F4(I + 8), F4(I + 12)
#define TEN(X) "%" #X "0,%" #X "1,%" #X "2,%" #X "3,%" #X "4,%" #X "5,%" #X "6,%" #X "7,%" #X "8,%" #X "9,"
#define LEFT "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3])
__device__ __forceinline__ void multiply(float (&d)[32], const unsigned (&a)[4], std::uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 {" TEN() TEN(1)
                   TEN(2) "%30,%31}, {%32,%33,%34,%35}, %36, 1, 1, 1;"
               : F16(0), F16(16)
               : LEFT, "l"(b));
}
__device__ __forceinline__ void multiply(float (&d)[128], const unsigned (&a)[4], std::uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 {" TEN() TEN(1) TEN(2) TEN(3) TEN(4)
                   TEN(5) TEN(6) TEN(7) TEN(8) TEN(9) TEN(10) TEN(
                       11) "%120,%121,%122,%123,%124,%125,%126,%127}, {%128,%129,%130,%131}, %132, 1, 1, 1;"
               : F16(0), F16(16), F16(32), F16(48), F16(64), F16(80), F16(96), F16(112)
               : LEFT, "l"(b));
}

// The fragments of half a slice: [step of 8 along K][register].
__device__ __forceinline__ void load_fragments(unsigned (&left)[2][4], const float* b) {
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const float* at = b + k * 8 * pitch;
    left[k][0] = to_tf32(at[0]);
    left[k][1] = to_tf32(at[8]);
    left[k][2] = to_tf32(at[4 * pitch]);
    left[k][3] = to_tf32(at[4 * pitch + 8]);
  }
}

// d[4 j + 2 h + e] is column g + 8 h of the warp's sixteen and row 8 j + 2 t + e of the tile.
template <int Rows>
__device__ __forceinline__ void write(const float (&d)[Rows / 2], float* C, int i0, int j0, int M, int N) {
  const int lane = threadIdx.x % 32, i = i0 + lane % 4 * 2, j = j0 + threadIdx.x / 32 * 16 + lane / 4;
#pragma unroll
  for (int q = 0; q < Rows / 2; ++q) {
    const int row = i + q / 4 * 8 + q % 2, column = j + q / 2 % 2 * 8;
    if (row < M && column < N) C[static_cast<size_t>(row) * N + column] = d[q];
  }
}
#endif

template <int Rows>
__global__ void __launch_bounds__(threads, 1)
    gemm(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
         const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N,
         int K) {
  const int i0 = blockIdx.y * Rows, j0 = blockIdx.x * columns;
#if HAVE_WGMMA
  extern __shared__ char raw[];
  char* const tiles_a = raw + (1024 - address(raw) % 1024) % 1024;
  char* const tiles_b = tiles_a + stages * bytes_a(Rows);
  __shared__ std::uint64_t full[stages];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int slices = (K + depth - 1) / depth;
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) barrier_init(&full[s], 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");  // the copy engine sees them too
  }
  __syncthreads();

  auto fetch = [&](int s) {  // by one thread
    const int stage = s % stages;
    barrier_expect(&full[stage], bytes_a(Rows) + bytes_b);
    copy_box(tiles_a + stage * bytes_a(Rows), &map_a, s * depth, i0, &full[stage]);
    copy_box(tiles_b + stage * bytes_b, &map_b, j0, s * depth, &full[stage]);
  };
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages - 1 && s < slices; ++s) fetch(s);
  }

  const int fragment = lane % 4 * pitch + warp * 16 + lane / 4;
  float d[Rows / 2] = {};
  // Two sets of fragments take turns: while one is multiplied the other is filled.
  unsigned first[2][4], second[2][4];
  auto multiply_half = [&](unsigned(&left)[2][4], const float* b, std::uint64_t right) {
    load_fragments(left, b);
    wgmma_fence();
#pragma unroll
    for (int k = 0; k < 2; ++k) multiply(d, left[k], right + k * 2);  // 32 bytes of A's rows a step
    wgmma_commit();
    wgmma_wait<1>();  // the half before this one
  };
  for (int s = 0; s < slices; ++s) {
    const int stage = s % stages;
    const float* b = reinterpret_cast<const float*>(tiles_b + stage * bytes_b) + fragment;
    const std::uint64_t right = descriptor(tiles_a + stage * bytes_a(Rows));
    barrier_wait(&full[stage], s / stages % 2);
    multiply_half(first, b, right);
    __syncthreads();  // all are done with slice s - 1, whose place is filled next
    if (threadIdx.x == 0 && s + stages - 1 < slices) fetch(s + stages - 1);
    multiply_half(second, b + depth / 2 * pitch, right + 4);
  }
  wgmma_wait<0>();
  write<Rows>(d, C, i0, j0, M, N);
#else
  // Other targets: right, not fast.
  (void)map_a, (void)map_b;
  for (int q = threadIdx.x; q < Rows * columns; q += threads) {
    const int i = i0 + q / columns, j = j0 + q % columns;
    if (i >= M || j >= N) continue;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum += A[static_cast<size_t>(i) * K + k] * B[static_cast<size_t>(k) * N + j];
    C[static_cast<size_t>(i) * N + j] = sum;
  }
#endif
}

// Older GPUs, short sums, rows not on 16 bytes, as the copy engine wants them: a thread an element.
constexpr int side = 16;
constexpr int shortest = 256;  // sum in which the low bits dropped from A are sure to average out
__global__ void __launch_bounds__(side* side)
    gemm_any(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N,
             int K) {
  __shared__ float a[side][side], b[side][side];
  const int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.y * side + ty, j = blockIdx.x * side + tx;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += side) {
    a[ty][tx] = i < M && k0 + tx < K ? A[static_cast<size_t>(i) * K + k0 + tx] : 0.0f;
    b[ty][tx] = k0 + ty < K && j < N ? B[static_cast<size_t>(k0 + ty) * N + j] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < side; ++k) sum += a[ty][k] * b[k][tx];
    __syncthreads();
  }
  if (i < M && j < N) C[static_cast<size_t>(i) * N + j] = sum;
}

using Encode = decltype(&cuTensorMapEncodeTiled);

// The driver's function, found at run time so that nothing must be linked; null where there is none.
Encode find_encode() {
  void* f = nullptr;
  cudaDriverEntryPointQueryResult found;
#if CUDART_VERSION >= 12050
  cudaError_t error =
      cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &f, 12000, cudaEnableDefault, &found);
#else
  cudaError_t error = cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &f, cudaEnableDefault, &found);
#endif
  return error == cudaSuccess && found == cudaDriverEntryPointSuccess ? reinterpret_cast<Encode>(f) : nullptr;
}

// A row-major matrix and the box of it that one copy brings.
bool describe(Encode encode, CUtensorMap* map, const float* data, int rows, int row_length, int box_rows,
              int box_columns, CUtensorMapSwizzle swizzle) {
  const cuuint64_t size[2] = {static_cast<cuuint64_t>(row_length), static_cast<cuuint64_t>(rows)};
  const cuuint64_t stride[1] = {static_cast<cuuint64_t>(row_length) * 4};
  const cuuint32_t box[2] = {static_cast<cuuint32_t>(box_columns), static_cast<cuuint32_t>(box_rows)};
  const cuuint32_t step[2] = {1, 1};
  return encode(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, const_cast<float*>(data), size, stride, box, step,
                CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

template <int Rows>
bool launch(const float* A, const float* B, float* C, int M, int N, int K) {
  Encode encode = find_encode();
  CUtensorMap map_a, map_b;
  if (!encode || !describe(encode, &map_a, A, M, K, Rows, depth, CU_TENSOR_MAP_SWIZZLE_128B) ||
      !describe(encode, &map_b, B, K, N, depth, pitch, CU_TENSOR_MAP_SWIZZLE_NONE)) {
    return false;
  }
  constexpr int bytes = shared_bytes(Rows);
  if (cudaFuncSetAttribute(gemm<Rows>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) != cudaSuccess)
    return false;
  dim3 grid((N + columns - 1) / columns, (M + Rows - 1) / Rows);
  gemm<Rows><<<grid, threads, bytes>>>(map_a, map_b, A, B, C, M, N, K);
  return true;
}

bool launch_wgmma(const float* A, const float* B, float* C, int M, int N, int K) {
  int device = 0, major = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  const bool aligned = (reinterpret_cast<std::uintptr_t>(A) | reinterpret_cast<std::uintptr_t>(B)) % 16 == 0;
  if (major != 9 || K < shortest || K % 4 != 0 || N % 4 != 0 || !aligned) return false;
  // The large tile reads less, the small one gives every multiprocessor work.
  const long long large = static_cast<long long>((M + 255) / 256) * ((N + columns - 1) / columns);
  return large >= 100 ? launch<256>(A, B, C, M, N, K) : launch<64>(A, B, C, M, N, K);
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  if (launch_wgmma(A, B, C, M, N, K)) return;
  gemm_any<<<dim3((N + side - 1) / side, (M + side - 1) / side), dim3(side, side)>>>(A, B, C, M, N, K);
}
