// strategy: wgmma
// after: deep_slice.cu
// predicts: 1.3 to 1.8x from 2048 on: mma.sync reaches two thirds of the tensor cores' rate, wgmma all of it
//
// A warpgroup multiplies 64 x 8 by 8 x 256 at once and reads one factor straight from shared memory. Copies
// are still cp.async, so every thread does its share of addresses, and A's swizzle is computed by hand.
#include <cuda_runtime.h>

#include <cstdint>

#include "../lib/cp_async.cuh"
#include "../lib/mma.cuh"
#include "../lib/wgmma.cuh"

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
  char* const tiles_a = raw + (1024 - shared_address(raw) % 1024) % 1024;
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
    for (int k = 0; k < 2; ++k) wgmma(d, left[k], right + k * 2);  // 32 bytes of A's rows a step
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
