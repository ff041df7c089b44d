// strategy: async_copy_pipeline
// after: mma_tile.cu
// predicts: 1.2 to 1.6x: two slices are under way while one is multiplied, and no register holds them
//
// cp.async copies 16 bytes from global to shared memory without passing registers and without waiting. Three
// slices are in shared memory; one barrier a slice both publishes the arrived one and frees the one before.
#include <cuda_runtime.h>

#include "../lib/cp_async.cuh"
#include "../lib/mma.cuh"

#ifndef SIDE
#define SIDE 128
#endif
#ifndef DEPTH
#define DEPTH 16  // with 32, rows of A are read in pieces of 128 bytes
#endif
#ifndef WARP_ROWS
#define WARP_ROWS 64
#endif
#ifndef WARP_COLUMNS
#define WARP_COLUMNS 32  // 64 x 64: 32 products for 32 loads of a lane; 64 x 32: 16 for 24
#endif
#ifndef PADDING_A
#define PADDING_A 4  // floats: without them rows begin in one or two banks
#endif
#ifndef PADDING_B
#define PADDING_B 8
#endif

constexpr int side = SIDE;    // of a block's tile of C
constexpr int depth = DEPTH;  // of a slice along K
constexpr int stages = 3;
constexpr int warp_rows = WARP_ROWS, warp_columns = WARP_COLUMNS;  // of a warp's outputs
constexpr int warps_across = side / warp_columns;
constexpr int threads = side / warp_rows * warps_across * 32;
// Lanes of a fragment load then hit 32 banks.
constexpr int pitch_a = depth + PADDING_A, pitch_b = side + PADDING_B;
constexpr int slice_a = side * pitch_a, slice_b = depth * pitch_b;  // floats
constexpr int shared_bytes = stages * (slice_a + slice_b) * 4;

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define HAVE_TF32 1
#else
#define HAVE_TF32 0
#endif

#if HAVE_TF32
constexpr int tiles_m = warp_rows / 16, tiles_n = warp_columns / 8;

// A slice of A (128 x 16) and B (16 x 128); rows and columns outside are zeros. Quad: rows start on 16 bytes.
template <bool QuadA, bool QuadB>
__device__ __forceinline__ void load_slice(float* a, float* b, const float* A, const float* B, int i0, int j0,
                                           int k0, int M, int N, int K) {
  constexpr int step_a = QuadA ? 4 : 1, step_b = QuadB ? 4 : 1;
#pragma unroll
  for (int q = threadIdx.x; q < side * depth / step_a; q += threads) {
    int row = q / (depth / step_a), k = q % (depth / step_a) * step_a;
    bool valid = i0 + row < M && k0 + k < K;
    const float* from = valid ? A + static_cast<size_t>(i0 + row) * K + k0 + k : A;
    if (QuadA)
      cp_async_16(a + row * pitch_a + k, from, valid);
    else
      cp_async_4(a + row * pitch_a + k, from, valid);
  }
#pragma unroll
  for (int q = threadIdx.x; q < side * depth / step_b; q += threads) {
    int k = q / (side / step_b), column = q % (side / step_b) * step_b;
    bool valid = k0 + k < K && j0 + column < N;
    const float* from = valid ? B + static_cast<size_t>(k0 + k) * N + j0 + column : B;
    if (QuadB)
      cp_async_16(b + k * pitch_b + column, from, valid);
    else
      cp_async_4(b + k * pitch_b + column, from, valid);
  }
}
#endif

template <bool QuadA, bool QuadB>
__global__ void __launch_bounds__(threads) gemm(const float* __restrict__ A, const float* __restrict__ B,
                                                float* __restrict__ C, int M, int N, int K) {
#if HAVE_TF32
  extern __shared__ __align__(16) float shared[];
  float* const all_a = shared;
  float* const all_b = shared + stages * slice_a;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int group = lane / 4, member = lane % 4;  // of the fragments' layout
  const int warp_i = warp / warps_across * warp_rows, warp_j = warp % warps_across * warp_columns;
  const int i0 = blockIdx.y * side, j0 = blockIdx.x * side;
  const int slices = (K + depth - 1) / depth;

#pragma unroll
  for (int s = 0; s < stages - 1; ++s) {
    if (s < slices)
      load_slice<QuadA, QuadB>(all_a + s * slice_a, all_b + s * slice_b, A, B, i0, j0, s * depth, M, N, K);
    cp_async_commit();  // also when empty, so that groups count slices
  }

  float sum[tiles_m][tiles_n][4] = {};
  for (int s = 0; s < slices; ++s) {
    cp_async_wait<stages - 2>();
    __syncthreads();  // slice s is there for all; all are done with slice s - 1, whose place is filled next
    const int ahead = s + stages - 1;
    if (ahead < slices) {
      load_slice<QuadA, QuadB>(all_a + ahead % stages * slice_a, all_b + ahead % stages * slice_b, A, B, i0,
                               j0, ahead * depth, M, N, K);
    }
    cp_async_commit();
    const float* a = all_a + s % stages * slice_a + (warp_i + group) * pitch_a + member;
    const float* b = all_b + s % stages * slice_b + member * pitch_b + warp_j + group;
#pragma unroll
    for (int k = 0; k < depth; k += 8) {
      unsigned left[tiles_m][4], right[tiles_n][2];
#pragma unroll
      for (int m = 0; m < tiles_m; ++m) {
        const float* at = a + m * 16 * pitch_a + k;
        left[m][0] = to_tf32(at[0]);
        left[m][1] = to_tf32(at[8 * pitch_a]);
        left[m][2] = to_tf32(at[4]);
        left[m][3] = to_tf32(at[8 * pitch_a + 4]);
      }
#pragma unroll
      for (int n = 0; n < tiles_n; ++n) {
        const float* at = b + k * pitch_b + n * 8;
        right[n][0] = to_tf32(at[0]);
        right[n][1] = to_tf32(at[4 * pitch_b]);
      }
#pragma unroll
      for (int m = 0; m < tiles_m; ++m) {
#pragma unroll
        for (int n = 0; n < tiles_n; ++n) mma_tf32(sum[m][n], left[m], right[n]);
      }
    }
  }

#pragma unroll
  for (int m = 0; m < tiles_m; ++m) {
#pragma unroll
    for (int n = 0; n < tiles_n; ++n) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        int i = i0 + warp_i + m * 16 + half * 8 + group, j = j0 + warp_j + n * 8 + member * 2;
        if (i >= M) continue;
        float* out = C + static_cast<size_t>(i) * N + j;
        if (QuadB) {  // N is a multiple of 4: pairs are whole and start on 8 bytes
          if (j < N)
            *reinterpret_cast<float2*>(out) = make_float2(sum[m][n][half * 2], sum[m][n][half * 2 + 1]);
        } else {
          if (j < N) out[0] = sum[m][n][half * 2];
          if (j + 1 < N) out[1] = sum[m][n][half * 2 + 1];
        }
      }
    }
  }
#else
  // Older GPUs: right, not fast.
  for (int q = threadIdx.x; q < side * side; q += threads) {
    int i = blockIdx.y * side + q / side, j = blockIdx.x * side + q % side;
    if (i >= M || j >= N) continue;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum += A[static_cast<size_t>(i) * K + k] * B[static_cast<size_t>(k) * N + j];
    C[static_cast<size_t>(i) * N + j] = sum;
  }
#endif
}

template <bool QuadA, bool QuadB>
void launch(const float* A, const float* B, float* C, int M, int N, int K) {
  cudaFuncSetAttribute(gemm<QuadA, QuadB>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
  dim3 grid((N + side - 1) / side, (M + side - 1) / side);
  gemm<QuadA, QuadB><<<grid, threads, shared_bytes>>>(A, B, C, M, N, K);
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  const bool quad_a = K % 4 == 0, quad_b = N % 4 == 0;
  if (quad_a && quad_b) {
    launch<true, true>(A, B, C, M, N, K);
  } else if (quad_a) {
    launch<true, false>(A, B, C, M, N, K);
  } else if (quad_b) {
    launch<false, true>(A, B, C, M, N, K);
  } else {
    launch<false, false>(A, B, C, M, N, K);
  }
}
