// strategy: wgmma
// after: deep_slice.cu
// predicts: 1.3 to 1.8x from 2048 on: mma.sync reaches two thirds of the tensor cores' rate, wgmma all of it
//
// A warpgroup multiplies 64 x 8 by 8 x 256 at once and reads one factor straight from shared memory. Copies
// are still cp.async, so every thread does its share of addresses, and A's swizzle is computed by hand.
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
constexpr int ahead = stages - 2;  // slices under way: of the other two one is read, one may still be

__device__ __forceinline__ std::uint32_t address(const void* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

// Copies 16 bytes without waiting; zeros where `valid` is false.
__device__ __forceinline__ void cp_async_16(void* to, const float* from, bool valid) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address(to)), "l"(from),
               "r"(valid ? 16 : 0)
               : "memory");
}
__device__ __forceinline__ void cp_async_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
// All but the latest N groups have arrived.
template <int N>
__device__ __forceinline__ void cp_async_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

// Piece c (16 bytes) of a row lies where piece c ^ (row % 8) would: the 128-byte swizzle.
template <int Rows>
__device__ __forceinline__ void load_a(char* tile, const float* A, int i0, int k0, int M, int K) {
#pragma unroll
  for (int q = threadIdx.x; q < Rows * (depth / 4); q += threads) {
    const int row = q / (depth / 4), piece = q % (depth / 4), k = k0 + piece * 4;
    const bool valid = i0 + row < M && k < K;
    const float* from = valid ? A + static_cast<size_t>(i0 + row) * K + k : A;
    cp_async_16(tile + row * 128 + (piece ^ row % 8) * 16, from, valid);
  }
}
__device__ __forceinline__ void load_b(char* tile, const float* B, int j0, int k0, int N, int K) {
#pragma unroll
  for (int q = threadIdx.x; q < depth * (columns / 4); q += threads) {
    const int k = q / (columns / 4), column = q % (columns / 4) * 4;
    const bool valid = k0 + k < K && j0 + column < N;
    const float* from = valid ? B + static_cast<size_t>(k0 + k) * N + j0 + column : B;
    cp_async_16(tile + (k * pitch + column) * 4, from, valid);
  }
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
__global__ void __launch_bounds__(threads, 1) gemm(const float* __restrict__ A, const float* __restrict__ B,
                                                   float* __restrict__ C, int M, int N, int K) {
  const int i0 = blockIdx.y * Rows, j0 = blockIdx.x * columns;
#if HAVE_WGMMA
  extern __shared__ char raw[];
  char* const tiles_a = raw + (1024 - address(raw) % 1024) % 1024;
  char* const tiles_b = tiles_a + stages * bytes_a(Rows);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int slices = (K + depth - 1) / depth;
  auto fetch = [&](int s) {
    if (s < slices) {
      load_a<Rows>(tiles_a + s % stages * bytes_a(Rows), A, i0, s * depth, M, K);
      load_b(tiles_b + s % stages * bytes_b, B, j0, s * depth, N, K);
    }
    cp_async_commit();  // also when empty, so that groups count slices
  };
  for (int s = 0; s < ahead; ++s) fetch(s);

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
    cp_async_wait<ahead - 1>();
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // wgmma reads what cp.async wrote
    __syncthreads();  // slice s is there for all; all are done with slice s - 2, whose place is filled next
    fetch(s + ahead);
    multiply_half(first, b, right);
    multiply_half(second, b + depth / 2 * pitch, right + 4);
  }
  wgmma_wait<0>();
  write<Rows>(d, C, i0, j0, M, N);
#else
  // Other targets: right, not fast.
  for (int q = threadIdx.x; q < Rows * columns; q += threads) {
    const int i = i0 + q / columns, j = j0 + q % columns;
    if (i >= M || j >= N) continue;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum += A[static_cast<size_t>(i) * K + k] * B[static_cast<size_t>(k) * N + j];
    C[static_cast<size_t>(i) * N + j] = sum;
  }
#endif
}

// Older GPUs, short sums, rows not on 16 bytes, as copies want them: a thread an element.
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

template <int Rows>
bool launch(const float* A, const float* B, float* C, int M, int N, int K) {
  constexpr int bytes = shared_bytes(Rows);
  if (cudaFuncSetAttribute(gemm<Rows>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) != cudaSuccess)
    return false;
  dim3 grid((N + columns - 1) / columns, (M + Rows - 1) / Rows);
  gemm<Rows><<<grid, threads, bytes>>>(A, B, C, M, N, K);
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
