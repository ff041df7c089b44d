// One matrix product through shared memory whose shape is chosen by macros; sweep.json lists the values that
// go together.
//   WG_TILE_M, WG_TILE_N, WG_TILE_K    the block's tile of C, and the depth of a step
//   BLOCK_X, BLOCK_Y                   threads of a block along N and along M
//   VECTOR_WIDTH_M, VECTOR_WIDTH_N     neighbouring rows of A, columns of B that a thread takes at once
//   UNROLL                             of the loop over the depth of a step
//   SMEM_PADDING                       rows of the tile of A, kept transposed, end in four unused floats
// A thread computes WG_TILE_M / BLOCK_Y rows by WG_TILE_N / BLOCK_X columns.
#include <cuda_runtime.h>

#ifndef WG_TILE_M
#define WG_TILE_M 128
#endif
#ifndef WG_TILE_N
#define WG_TILE_N 128
#endif
#ifndef WG_TILE_K
#define WG_TILE_K 16
#endif
#ifndef BLOCK_X
#define BLOCK_X 16
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 16
#endif
#ifndef VECTOR_WIDTH_M
#define VECTOR_WIDTH_M 4
#endif
#ifndef VECTOR_WIDTH_N
#define VECTOR_WIDTH_N 4
#endif
#ifndef UNROLL
#define UNROLL 8
#endif
#ifndef SMEM_PADDING
#define SMEM_PADDING 1
#endif

constexpr int threads = BLOCK_X * BLOCK_Y;
constexpr int unroll = UNROLL;  // a pragma takes no macro
constexpr int thread_m = WG_TILE_M / BLOCK_Y, thread_n = WG_TILE_N / BLOCK_X;
constexpr int pitch_a = WG_TILE_M + 4 * SMEM_PADDING;  // four: vectors stay aligned

static_assert(threads <= 1024, "a block has at most 1024 threads");
static_assert(thread_m * BLOCK_Y == WG_TILE_M && thread_m % VECTOR_WIDTH_M == 0, "rows of a thread");
static_assert(thread_n * BLOCK_X == WG_TILE_N && thread_n % VECTOR_WIDTH_N == 0, "columns of a thread");
static_assert(WG_TILE_K % UNROLL == 0, "whole turns");

template <int Width>
struct __align__(4 * Width) Vector {
  float v[Width];
};

// Row (column) of the tile that a thread's number `k` stands for: vectors lie a block's width apart, so
// that a warp reads neighbouring vectors.
template <int Width, int Across>
__device__ __forceinline__ int place(int thread, int k) {
  return (k / Width * Across + thread) * Width + k % Width;
}

// `Count` values of a row in shared memory, the thread's own.
template <int Width, int Across, int Count>
__device__ __forceinline__ void take(float (&values)[Count], const float* row, int thread) {
#pragma unroll
  for (int k = 0; k < Count; k += Width) {
    const auto vector = *reinterpret_cast<const Vector<Width>*>(row + place<Width, Across>(thread, k));
#pragma unroll
    for (int e = 0; e < Width; ++e) values[k + e] = vector.v[e];
  }
}

// WholeN: N is a multiple of VECTOR_WIDTH_N, so that vectors of B and C are aligned and inside a row.
template <bool WholeN>
__global__ void __launch_bounds__(threads) gemm(const float* __restrict__ A, const float* __restrict__ B,
                                                float* __restrict__ C, int M, int N, int K, unsigned across) {
  __shared__ __align__(16) float a[WG_TILE_K][pitch_a];
  __shared__ __align__(16) float b[WG_TILE_K][WG_TILE_N];
  using Columns = Vector<VECTOR_WIDTH_N>;
  const int tx = threadIdx.x, ty = threadIdx.y, t = ty * BLOCK_X + tx;
  const int i0 = blockIdx.x / across * WG_TILE_M, j0 = blockIdx.x % across * WG_TILE_N;
  float sum[thread_m][thread_n] = {};

  for (int k0 = 0; k0 < K; k0 += WG_TILE_K) {
    for (int n = t; n < WG_TILE_M * WG_TILE_K; n += threads) {
      const int i = n / WG_TILE_K, k = n % WG_TILE_K;
      const bool inside = i0 + i < M && k0 + k < K;
      a[k][i] = inside ? A[static_cast<size_t>(i0 + i) * K + k0 + k] : 0.0f;
    }
    constexpr int vectors = WG_TILE_N / VECTOR_WIDTH_N;
    for (int n = t; n < WG_TILE_K * vectors; n += threads) {
      const int k = n / vectors, j = n % vectors * VECTOR_WIDTH_N;
      const float* from = B + static_cast<size_t>(k0 + k) * N + j0 + j;
      Columns values = {};
      if (WholeN) {
        if (k0 + k < K && j0 + j < N) values = *reinterpret_cast<const Columns*>(from);
      } else {
#pragma unroll
        for (int e = 0; e < VECTOR_WIDTH_N; ++e) {
          if (k0 + k < K && j0 + j + e < N) values.v[e] = from[e];
        }
      }
      *reinterpret_cast<Columns*>(&b[k][j]) = values;
    }
    __syncthreads();
#pragma unroll(unroll)
    for (int k = 0; k < WG_TILE_K; ++k) {
      float left[thread_m], right[thread_n];
      take<VECTOR_WIDTH_M, BLOCK_Y>(left, a[k], ty);
      take<VECTOR_WIDTH_N, BLOCK_X>(right, b[k], tx);
#pragma unroll
      for (int i = 0; i < thread_m; ++i) {
#pragma unroll
        for (int j = 0; j < thread_n; ++j) sum[i][j] += left[i] * right[j];
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int m = 0; m < thread_m; ++m) {
    const int i = i0 + place<VECTOR_WIDTH_M, BLOCK_Y>(ty, m);
    if (i >= M) continue;
#pragma unroll
    for (int n = 0; n < thread_n; n += VECTOR_WIDTH_N) {
      const int j = j0 + place<VECTOR_WIDTH_N, BLOCK_X>(tx, n);
      float* to = C + static_cast<size_t>(i) * N + j;
      if (WholeN) {
        Columns values;
#pragma unroll
        for (int e = 0; e < VECTOR_WIDTH_N; ++e) values.v[e] = sum[m][n + e];
        if (j < N) *reinterpret_cast<Columns*>(to) = values;
      } else {
#pragma unroll
        for (int e = 0; e < VECTOR_WIDTH_N; ++e) {
          if (j + e < N) to[e] = sum[m][n + e];
        }
      }
    }
  }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  const unsigned across = (static_cast<unsigned>(N) - 1) / WG_TILE_N + 1;
  const unsigned down = (static_cast<unsigned>(M) - 1) / WG_TILE_M + 1;
  const dim3 block(BLOCK_X, BLOCK_Y);
  if (N % VECTOR_WIDTH_N == 0) {
    gemm<true><<<across * down, block>>>(A, B, C, M, N, K, across);
  } else {
    gemm<false><<<across * down, block>>>(A, B, C, M, N, K, across);
  }
}
