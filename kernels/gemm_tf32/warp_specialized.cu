// strategy: warp_specialization
// after: tma.cu
// predicts: 1.05 to 1.2x from 2048 on, as no barrier of the block stops the multiplying warps at every slice
//
// One thread issues the bulk copies, two warpgroups multiply. Each slice has a barrier "full" (its bytes have
// arrived) and a barrier "empty" (all eight consuming warps are done), so the two sides meet nowhere else.
// The producer hands registers to the consumers, whose 128 sums do not fit in the 168 that each thread gets.
#include <cuda_runtime.h>

#include <cstdint>

#include "../lib/mbarrier.cuh"
#include "../lib/mma.cuh"
#include "../lib/tma.cuh"
#include "../lib/wgmma.cuh"

// Blocks start in the order of x, y, z. With GROUP tiles of rows in x and all columns in y, the tiles that run at
// one time form a rectangle nearer to a square; 0: in the order of rows.
#ifndef GROUP
#define GROUP 0
#endif

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
constexpr int consumers = 256;            // threads: two warpgroups
constexpr int threads = consumers + 128;  // and the producer's warpgroup, of which one thread works
constexpr int bytes_b = depth * pitch * 4;
__host__ __device__ constexpr int bytes_a(int rows) { return rows * depth * 4; }
constexpr int shared_bytes(int rows) { return stages * (bytes_a(rows) + bytes_b) + 1024; }  // and alignment

#if HAVE_WGMMA
constexpr int producer_registers = 40, consumer_registers = 232;  // 504 together, as 3 x 168 at the start

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
#if GROUP
  const int i0 = (blockIdx.z * GROUP + blockIdx.x) * Rows, j0 = blockIdx.y * columns;
  if (i0 >= M) return;  // the last group may be short
#else
  const int i0 = blockIdx.y * Rows, j0 = blockIdx.x * columns;
#endif
#if HAVE_WGMMA
  extern __shared__ char raw[];
  char* const tiles_a = raw + (1024 - shared_address(raw) % 1024) % 1024;
  char* const tiles_b = tiles_a + stages * bytes_a(Rows);
  __shared__ std::uint64_t full[stages], empty[stages];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int slices = (K + depth - 1) / depth;
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) {
      barrier_init(&full[s], 1);
      barrier_init(&empty[s], consumers / 32);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");  // the copy engine sees them too
  }
  __syncthreads();

  if (warp >= consumers / 32) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(producer_registers));
    if (threadIdx.x == consumers) {
      for (int s = 0; s < slices; ++s) {
        const int stage = s % stages;
        if (s >= stages) barrier_wait(&empty[stage], (s / stages - 1) % 2);
        barrier_expect(&full[stage], bytes_a(Rows) + bytes_b);
        load_box(tiles_a + stage * bytes_a(Rows), &map_a, &full[stage], s * depth, i0);
        load_box(tiles_b + stage * bytes_b, &map_b, &full[stage], j0, s * depth);
      }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(consumer_registers));
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
      barrier_wait(&full[stage], s / stages % 2);
      multiply_half(first, b, right);
      if (s > 0 && lane == 0) barrier_arrive(&empty[(s - 1) % stages]);
      multiply_half(second, b + depth / 2 * pitch, right + 4);
    }
    wgmma_wait<0>();
    write<Rows>(d, C, i0, j0, M, N);
  }
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
#if GROUP
  dim3 grid(GROUP, (N + columns - 1) / columns, (M + GROUP * Rows - 1) / (GROUP * Rows));
#else
  dim3 grid((N + columns - 1) / columns, (M + Rows - 1) / Rows);
#endif
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
