// strategy: tensor_core_mma
// after: naive.cu
// predicts: 6 to 9 times naive.cu: products on tensor cores, and a 128 x 128 tile reads each operand 4 times less often; each slice still waits for its loads
//
// mma.sync m16n8k16: 8 warps of 64 x 32 outputs, fragments by ldmatrix from padded rows (B transposed on the
// way), one slice of 32 along K in shared memory at a time. Needs sm_80.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include "../lib/mma.cuh"

using bf16 = __nv_bfloat16;

constexpr int side = 128;           // of a block's tile of C
constexpr int depth = 32;           // of a slice along K
constexpr int threads = 256;        // 2 x 4 warps of 64 x 32 outputs
constexpr int pitch_a = depth + 8;  // 16 bytes more: the eight rows of an ldmatrix lie in different banks
constexpr int pitch_b = side + 8;
[[maybe_unused]] constexpr int slice_a = side * pitch_a, slice_b = depth * pitch_b;  // elements

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define HAVE_BF16_MMA 1
#else
#define HAVE_BF16_MMA 0
#endif

#if HAVE_BF16_MMA
// 16 bytes through registers; zeros where `valid` is false.
__device__ __forceinline__ void copy_16(bf16* to, const bf16* from, bool valid) {
  *reinterpret_cast<uint4*>(to) = valid ? *reinterpret_cast<const uint4*>(from) : make_uint4(0, 0, 0, 0);
}

// A slice of A (128 x 32) and B (32 x 128); rows and columns outside are zeros. Wide: rows start on 16 bytes.
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
      copy_16(a + row * pitch_a + k, from, valid);
    else
      a[row * pitch_a + k] = valid ? *from : __float2bfloat16(0.0f);
  }
#pragma unroll 4
  for (int q = threadIdx.x; q < side * depth / step; q += threads) {
    int k = q / (side / step), column = q % (side / step) * step;
    bool valid = k0 + k < K && j0 + column < N;
    const bf16* from = valid ? B + static_cast<size_t>(k0 + k) * N + j0 + column : B;
    if (Wide)
      copy_16(b + k * pitch_b + column, from, valid);
    else
      b[k * pitch_b + column] = valid ? *from : __float2bfloat16(0.0f);
  }
}
#endif

// Wide: K and N are multiples of 8.
template <bool Wide>
__global__ void __launch_bounds__(threads)
    gemm(const bf16* __restrict__ A, const bf16* __restrict__ B, bf16* __restrict__ C, int M, int N, int K) {
#if HAVE_BF16_MMA
  __shared__ __align__(128) bf16 shared_a[slice_a];
  __shared__ __align__(128) bf16 shared_b[slice_b];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int group = lane / 4, member = lane % 4;  // of the fragments' layout
  const int warp_i = warp / 4 * 64, warp_j = warp % 4 * 32;
  const int i0 = blockIdx.y * side, j0 = blockIdx.x * side;
  const int slices = (K + depth - 1) / depth;

  float sum[4][4][4] = {};
  for (int s = 0; s < slices; ++s) {
    if (s > 0) __syncthreads();  // all have read the slice before
    load_slice<Wide>(shared_a, shared_b, A, B, i0, j0, s * depth, M, N, K);
    __syncthreads();
    // Matrices of an ldmatrix, in order: rows 0-7 and 8-15, then the same with the next eight columns.
    const bf16* a = shared_a + (warp_i + lane % 16) * pitch_a + lane / 16 * 8;
    const bf16* b = shared_b + lane % 16 * pitch_b + warp_j + lane / 16 * 8;
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
    int i = blockIdx.y * side + q / side, j = blockIdx.x * side + q % side;
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
  dim3 grid((N + side - 1) / side, (M + side - 1) / side);
  gemm<Wide><<<grid, threads>>>(A, B, C, M, N, K);
}

extern "C" void solve(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int M, int N, int K) {
  if (K % 8 == 0 && N % 8 == 0) {
    launch<true>(A, B, C, M, N, K);
  } else {
    launch<false>(A, B, C, M, N, K);
  }
}
