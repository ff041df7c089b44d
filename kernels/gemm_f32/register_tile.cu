// strategy: double_buffering
// after: vectorized.cu
// predicts: 1.1 to 1.3x: the next tile is loaded while this one is multiplied; one barrier a tile, not two
//
// The next tile travels from global memory to registers while the present one is multiplied, and then to the
// other of two buffers in shared memory.
#include <cuda_runtime.h>

// A third one hides more latency, but the registers are where this kernel gets its speed from.
#ifndef BLOCKS_PER_MULTIPROCESSOR
#define BLOCKS_PER_MULTIPROCESSOR 2
#endif

constexpr int threads = 256;  // 16 x 16

// Four neighbours of a row of `length` elements, from column `j` on, zeros beyond the end.
template <bool Quad>
__device__ __forceinline__ float4 load4(const float* row, int j, int length, bool row_exists) {
  float4 v = make_float4(0, 0, 0, 0);
  if (!row_exists) return v;
  if (Quad) {  // length is a multiple of 4
    if (j < length) v = *reinterpret_cast<const float4*>(row + j);
  } else {
    if (j < length) v.x = row[j];
    if (j + 1 < length) v.y = row[j + 1];
    if (j + 2 < length) v.z = row[j + 2];
    if (j + 3 < length) v.w = row[j + 3];
  }
  return v;
}

// Side x Side outputs a block, Side / 16 squared a thread, in groups of 4 x 4 that lie 64 apart.
template <int Side, bool QuadA, bool QuadB>
__global__ void __launch_bounds__(threads, BLOCKS_PER_MULTIPROCESSOR)
    gemm(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N,
         int K) {
  constexpr int groups = Side / 64;
  constexpr int depth = 1024 / Side;                     // of a tile: one float4 of each matrix a thread
  __shared__ __align__(16) float a[2][depth][Side + 4];  // A transposed, so that a column is contiguous
  __shared__ __align__(16) float b[2][depth][Side];
  const int t = threadIdx.x, tx = t % 16, ty = t / 16;
  const int i0 = blockIdx.y * Side, j0 = blockIdx.x * Side;
  float4 next_a, next_b;

  const int a_row = t / (depth / 4), a_k = t % (depth / 4) * 4;
  const int b_k = t / (Side / 4), b_column = t % (Side / 4) * 4;
  auto fetch = [&](int k0) {
    const int row = i0 + a_row, k = k0 + b_k;
    next_a = load4<QuadA>(A + static_cast<size_t>(row) * K, k0 + a_k, K, row < M);
    next_b = load4<QuadB>(B + static_cast<size_t>(k) * N, j0 + b_column, N, k < K);
  };
  auto store = [&](int buffer) {
    a[buffer][a_k][a_row] = next_a.x;
    a[buffer][a_k + 1][a_row] = next_a.y;
    a[buffer][a_k + 2][a_row] = next_a.z;
    a[buffer][a_k + 3][a_row] = next_a.w;
    *reinterpret_cast<float4*>(&b[buffer][b_k][b_column]) = next_b;
  };

  float sum[groups * 4][groups * 4] = {};
  fetch(0);
  store(0);
  __syncthreads();
  int buffer = 0;
  for (int k0 = 0; k0 < K; k0 += depth) {
    const bool more = k0 + depth < K;
    if (more) fetch(k0 + depth);
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      float left[groups * 4], right[groups * 4];
#pragma unroll
      for (int g = 0; g < groups; ++g) {
        float4 u = *reinterpret_cast<const float4*>(&a[buffer][k][g * 64 + ty * 4]);
        float4 v = *reinterpret_cast<const float4*>(&b[buffer][k][g * 64 + tx * 4]);
        left[g * 4] = u.x, left[g * 4 + 1] = u.y, left[g * 4 + 2] = u.z, left[g * 4 + 3] = u.w;
        right[g * 4] = v.x, right[g * 4 + 1] = v.y, right[g * 4 + 2] = v.z, right[g * 4 + 3] = v.w;
      }
#pragma unroll
      for (int i = 0; i < groups * 4; ++i) {
#pragma unroll
        for (int j = 0; j < groups * 4; ++j) sum[i][j] += left[i] * right[j];
      }
    }
    if (more) store(buffer ^ 1);  // was last read before the barrier below, one turn ago
    __syncthreads();
    buffer ^= 1;
  }

#pragma unroll
  for (int i = 0; i < groups * 4; ++i) {
    int row = i0 + i / 4 * 64 + ty * 4 + i % 4;
    if (row >= M) continue;
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      int column = j0 + g * 64 + tx * 4;
      float* out = C + static_cast<size_t>(row) * N + column;
      if (QuadB) {
        if (column < N) {
          *reinterpret_cast<float4*>(out) =
              make_float4(sum[i][g * 4], sum[i][g * 4 + 1], sum[i][g * 4 + 2], sum[i][g * 4 + 3]);
        }
      } else {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          if (column + j < N) out[j] = sum[i][g * 4 + j];
        }
      }
    }
  }
}

template <int Side>
void launch(const float* A, const float* B, float* C, int M, int N, int K) {
  dim3 grid((N + Side - 1) / Side, (M + Side - 1) / Side);
  const bool quad_a = K % 4 == 0, quad_b = N % 4 == 0;
  if (quad_a && quad_b) {
    gemm<Side, true, true><<<grid, threads>>>(A, B, C, M, N, K);
  } else if (quad_b) {
    gemm<Side, false, true><<<grid, threads>>>(A, B, C, M, N, K);
  } else if (quad_a) {
    gemm<Side, true, false><<<grid, threads>>>(A, B, C, M, N, K);
  } else {
    gemm<Side, false, false><<<grid, threads>>>(A, B, C, M, N, K);
  }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  // Tiles of 128 only where there are enough of them for every multiprocessor of a large GPU.
  const long long tiles = static_cast<long long>((M + 127) / 128) * ((N + 127) / 128);
  if (tiles >= 128) {
    launch<128>(A, B, C, M, N, K);
  } else {
    launch<64>(A, B, C, M, N, K);
  }
}
