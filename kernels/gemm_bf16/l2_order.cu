// strategy: l2_tile_swizzle
// after: tensor_cores.cu
// predicts: no gain at 2048 and with K = 1024 (A and B fit in the 60 MB L2 whole), at most 5% at 4096 (64 MB)
//
// Blocks walk through C in groups of 8 rows of tiles, column by column, so that those that run together read
// fewer rows of A and columns of B.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include "../lib/cp_async.cuh"
#include "../lib/mma.cuh"

using bf16 = __nv_bfloat16;

constexpr int side = 128;  // of a block's tile of C
constexpr int depth = 32;  // of a slice along K
constexpr int stages = 3;
constexpr int group_rows = 8;       // of tiles that are walked through column by column
constexpr int threads = 256;        // 2 x 4 warps of 64 x 32 outputs
constexpr int pitch_a = depth + 8;  // 16 bytes more: the eight rows of an ldmatrix lie in different banks
constexpr int pitch_b = side + 8;
constexpr int slice_a = side * pitch_a, slice_b = depth * pitch_b;  // elements
constexpr int shared_bytes = stages * (slice_a + slice_b) * 2;

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define HAVE_BF16_MMA 1
#else
#define HAVE_BF16_MMA 0
#endif

#if HAVE_BF16_MMA
// A slice of A (128 x 32) and B (32 x 128); rows and columns outside are zeros. Wide: rows start on 16 bytes;
// the other path copies through registers, and the next barrier makes it visible.
template <bool Wide>
__device__ __forceinline__ void load_slice(bf16* a, bf16* b, const bf16* A, const bf16* B, int i0, int j0,
                                           int k0, int M, int N, int K) {
  constexpr int step = Wide ? 8 : 1;
#pragma unroll 4
  for (int q = threadIdx.x; q < side * depth / step; q += threads) {
    int row = q / (depth / step), k = q % (depth / step) * step;
    bool valid = i0 + row < M && k0 + k < K;
    const bf16* from = valid ? A + static_cast<size_t>(i0 + row) * K + k0 + k : A;
    if (Wide)
      cp_async_16(a + row * pitch_a + k, from, valid);
    else
      a[row * pitch_a + k] = valid ? *from : __float2bfloat16(0.0f);
  }
#pragma unroll 4
  for (int q = threadIdx.x; q < side * depth / step; q += threads) {
    int k = q / (side / step), column = q % (side / step) * step;
    bool valid = k0 + k < K && j0 + column < N;
    const bf16* from = valid ? B + static_cast<size_t>(k0 + k) * N + j0 + column : B;
    if (Wide)
      cp_async_16(b + k * pitch_b + column, from, valid);
    else
      b[k * pitch_b + column] = valid ? *from : __float2bfloat16(0.0f);
  }
}
#endif

struct Tile {
  int row, column;
};

// Groups of `group_rows` rows of tiles, each group column by column: tiles that run at the same time share
// rows of A and columns of B.
__device__ __forceinline__ Tile tile_of(int index, int rows, int columns) {
  const int first = index / (group_rows * columns) * group_rows;
  const int height = min(rows - first, group_rows);
  const int rest = index % (group_rows * columns);
  return {first + rest % height, rest / height};
}

// Wide: K and N are multiples of 8.
template <bool Wide>
__global__ void __launch_bounds__(threads)
    gemm(const bf16* __restrict__ A, const bf16* __restrict__ B, bf16* __restrict__ C, int M, int N, int K) {
  const Tile at = tile_of(blockIdx.x, (M + side - 1) / side, (N + side - 1) / side);
#if HAVE_BF16_MMA
  extern __shared__ __align__(128) unsigned char shared[];
  bf16* const all_a = reinterpret_cast<bf16*>(shared);
  bf16* const all_b = all_a + stages * slice_a;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int group = lane / 4, member = lane % 4;  // of the fragments' layout
  const int warp_i = warp / 4 * 64, warp_j = warp % 4 * 32;
  const int i0 = at.row * side, j0 = at.column * side;
  const int slices = (K + depth - 1) / depth;

#pragma unroll
  for (int s = 0; s < stages - 1; ++s) {
    if (s < slices)
      load_slice<Wide>(all_a + s * slice_a, all_b + s * slice_b, A, B, i0, j0, s * depth, M, N, K);
    cp_async_commit();  // also when empty, so that groups count slices
  }

  float sum[4][4][4] = {};
  for (int s = 0; s < slices; ++s) {
    cp_async_wait<stages - 2>();
    __syncthreads();  // slice s is there for all, and all are done with slice s - 1, whose place is filled
                      // next
    const int ahead = s + stages - 1;
    if (ahead < slices) {
      load_slice<Wide>(all_a + ahead % stages * slice_a, all_b + ahead % stages * slice_b, A, B, i0, j0,
                       ahead * depth, M, N, K);
    }
    cp_async_commit();
    // Matrices of an ldmatrix, in order: rows 0-7 and 8-15, then the same with the next eight columns.
    const bf16* a = all_a + s % stages * slice_a + (warp_i + lane % 16) * pitch_a + lane / 16 * 8;
    const bf16* b = all_b + s % stages * slice_b + lane % 16 * pitch_b + warp_j + lane / 16 * 8;
#pragma unroll
    for (int k = 0; k < depth; k += 16) {
      unsigned left[4][4], right[4][2];
#pragma unroll
      for (int m = 0; m < 4; ++m) ldmatrix_x4(left[m], a + m * 16 * pitch_a + k);
#pragma unroll
      for (int n = 0; n < 4; n += 2) {
        unsigned two[4];
        ldmatrix_x4_trans(two, b + k * pitch_b + n * 8);
        right[n][0] = two[0], right[n][1] = two[1];
        right[n + 1][0] = two[2], right[n + 1][1] = two[3];
      }
#pragma unroll
      for (int m = 0; m < 4; ++m) {
#pragma unroll
        for (int n = 0; n < 4; ++n) mma_bf16(sum[m][n], left[m], right[n]);
      }
    }
  }

#pragma unroll
  for (int m = 0; m < 4; ++m) {
#pragma unroll
    for (int n = 0; n < 4; ++n) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        int i = i0 + warp_i + m * 16 + half * 8 + group, j = j0 + warp_j + n * 8 + member * 2;
        if (i >= M) continue;
        bf16* out = C + static_cast<size_t>(i) * N + j;
        if (Wide) {
          if (j < N) {
            *reinterpret_cast<__nv_bfloat162*>(out) =
                __floats2bfloat162_rn(sum[m][n][half * 2], sum[m][n][half * 2 + 1]);
          }
        } else {
          if (j < N) out[0] = __float2bfloat16(sum[m][n][half * 2]);
          if (j + 1 < N) out[1] = __float2bfloat16(sum[m][n][half * 2 + 1]);
        }
      }
    }
  }
#else
  // Older GPUs: right, not fast.
  for (int q = threadIdx.x; q < side * side; q += threads) {
    int i = at.row * side + q / side, j = at.column * side + q % side;
    if (i >= M || j >= N) continue;
    float sum = 0;
    for (int k = 0; k < K; ++k) {
      sum += __bfloat162float(A[static_cast<size_t>(i) * K + k]) *
             __bfloat162float(B[static_cast<size_t>(k) * N + j]);
    }
    C[static_cast<size_t>(i) * N + j] = __float2bfloat16(sum);
  }
#endif
}

template <bool Wide>
void launch(const bf16* A, const bf16* B, bf16* C, int M, int N, int K) {
  cudaFuncSetAttribute(gemm<Wide>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
  const int grid = (N + side - 1) / side * ((M + side - 1) / side);
  gemm<Wide><<<grid, threads, shared_bytes>>>(A, B, C, M, N, K);
}

extern "C" void solve(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
  if (K % 8 == 0 && N % 8 == 0) {
    launch<true>(A, B, C, M, N, K);
  } else {
    launch<false>(A, B, C, M, N, K);
  }
}
