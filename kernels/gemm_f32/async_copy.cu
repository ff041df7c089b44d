// strategy: async_copy_pipeline
// after: warp_tile.cu
// predicts: 1.05 to 1.2x from 2048 on: copies pass no registers, are not waited for, and A is not transposed
//
// cp.async brings slices of A and B to shared memory two slices ahead. It cannot transpose, so rows of A stay
// rows and a thread reads four steps along K of a row at once; its rows lie 4 apart, so that the four rows
// that a warp reads together lie in different banks. Below sm_80 the copies pass registers.
#include <cuda_runtime.h>

#include "../lib/cp_async.cuh"

#ifndef STAGES
#define STAGES 3
#endif
// Blocks start in the order of x, y, z. With GROUP tiles of rows in x and all columns in y, the tiles that run at
// one time form a rectangle nearer to a square; 0: in the order of rows.
#ifndef GROUP
#define GROUP 0
#endif

constexpr int threads = 256;  // 4 x 2 warps, of 4 x 8 lanes
constexpr int depth = 16;     // of a slice along K
constexpr int stages = STAGES;
constexpr int pitch_a = depth + 4;  // rows that a warp reads together then begin 20 banks apart

__host__ __device__ constexpr int slice_a(int rows) { return rows * pitch_a; }  // floats
__host__ __device__ constexpr int slice_b(int columns) { return depth * columns; }
constexpr int shared_bytes(int rows, int columns) { return stages * (slice_a(rows) + slice_b(columns)) * 4; }

// A box of a row-major matrix of `rows` x `length`, zeros outside. Quad: rows start on 16 bytes.
template <int Rows, int Columns, int Pitch, bool Quad>
__device__ __forceinline__ void load_box(float* to, const float* from, int row0, int column0, int rows,
                                         int length) {
  constexpr int step = Quad ? 4 : 1;
#pragma unroll
  for (int q = threadIdx.x; q < Rows * Columns / step; q += threads) {
    const int r = q / (Columns / step), c = q % (Columns / step) * step;
    const bool valid = row0 + r < rows && column0 + c < length;
    const float* at = valid ? from + static_cast<size_t>(row0 + r) * length + column0 + c : from;
    if (Quad)
      cp_async_16(to + r * Pitch + c, at, valid);
    else
      cp_async_4(to + r * Pitch + c, at, valid);
  }
}

__device__ __forceinline__ void unpack(float* to, float4 v) {
  to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
}

// Rows x Columns outputs a block, Rows / 16 x Columns / 16 a thread.
template <int Rows, int Columns, bool QuadA, bool QuadB>
__global__ void __launch_bounds__(threads, Rows* Columns > 128 * 128 ? 1 : 2)
    gemm(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N,
         int K) {
  constexpr int tall = Rows / 16, wide = Columns / 16;  // outputs of a thread
  extern __shared__ __align__(16) float shared[];
  float* const all_a = shared;
  float* const all_b = shared + stages * slice_a(Rows);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  // Lanes that differ in bit 0 share columns, in bit 1 rows: 16-byte loads of half a warp then go together.
  const int row0 = warp / 2 * (Rows / 4) + lane / 16 * 2 + lane % 2;
  const int column0 = warp % 2 * (Columns / 2) + lane / 2 % 8 * 4;
#if GROUP
  const int i0 = (blockIdx.z * GROUP + blockIdx.x) * Rows, j0 = blockIdx.y * Columns;
  if (i0 >= M) return;  // the last group may be short
#else
  const int i0 = blockIdx.y * Rows, j0 = blockIdx.x * Columns;
#endif
  const int slices = (K + depth - 1) / depth;

  auto fetch = [&](int s) {
    if (s < slices) {
      load_box<Rows, depth, pitch_a, QuadA>(all_a + s % stages * slice_a(Rows), A, i0, s * depth, M, K);
      load_box<depth, Columns, Columns, QuadB>(all_b + s % stages * slice_b(Columns), B, s * depth, j0, K, N);
    }
    cp_async_commit();  // also when empty, so that groups count slices
  };
#pragma unroll
  for (int s = 0; s < stages - 1; ++s) fetch(s);

  float sum[tall][wide] = {};
  for (int s = 0; s < slices; ++s) {
    cp_async_wait<stages - 2>();
    __syncthreads();  // slice s is there for all; all are done with slice s - 1, whose place is filled next
    fetch(s + stages - 1);
    const float* a = all_a + s % stages * slice_a(Rows) + row0 * pitch_a;
    const float* b = all_b + s % stages * slice_b(Columns) + column0;
#pragma unroll
    for (int k0 = 0; k0 < depth; k0 += 4) {
      float left[tall][4];
#pragma unroll
      for (int i = 0; i < tall; ++i)
        unpack(left[i], *reinterpret_cast<const float4*>(a + i * 4 * pitch_a + k0));
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        float right[wide];
#pragma unroll
        for (int g = 0; g < wide / 4; ++g)
          unpack(right + g * 4, *reinterpret_cast<const float4*>(b + (k0 + k) * Columns + g * 32));
#pragma unroll
        for (int i = 0; i < tall; ++i) {
#pragma unroll
          for (int j = 0; j < wide; ++j) sum[i][j] += left[i][k] * right[j];
        }
      }
    }
  }

#pragma unroll
  for (int i = 0; i < tall; ++i) {
    const int row = i0 + row0 + i * 4;
    if (row >= M) continue;
#pragma unroll
    for (int g = 0; g < wide / 4; ++g) {
      const int column = j0 + column0 + g * 32;
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

template <int Rows, int Columns, bool QuadA, bool QuadB>
void launch(const float* A, const float* B, float* C, int M, int N, int K) {
  constexpr int bytes = shared_bytes(Rows, Columns);
  cudaFuncSetAttribute(gemm<Rows, Columns, QuadA, QuadB>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
#if GROUP
  dim3 grid(GROUP, (N + Columns - 1) / Columns, (M + GROUP * Rows - 1) / (GROUP * Rows));
#else
  dim3 grid((N + Columns - 1) / Columns, (M + Rows - 1) / Rows);
#endif
  gemm<Rows, Columns, QuadA, QuadB><<<grid, threads, bytes>>>(A, B, C, M, N, K);
}

template <int Rows, int Columns>
void launch(const float* A, const float* B, float* C, int M, int N, int K) {
  const bool quad_a = K % 4 == 0, quad_b = N % 4 == 0;
  if (quad_a && quad_b) {
    launch<Rows, Columns, true, true>(A, B, C, M, N, K);
  } else if (quad_b) {
    launch<Rows, Columns, false, true>(A, B, C, M, N, K);
  } else if (quad_a) {
    launch<Rows, Columns, true, false>(A, B, C, M, N, K);
  } else {
    launch<Rows, Columns, false, false>(A, B, C, M, N, K);
  }
}

// 256: 128 sums a thread, and one block of 8 warps fills the registers of a multiprocessor.
#ifndef COLUMNS
#define COLUMNS 128
#endif

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  // Tiles of 128 only where there are enough of them for every multiprocessor of a large GPU.
  const long long tiles = static_cast<long long>((M + 127) / 128) * ((N + COLUMNS - 1) / COLUMNS);
  if (tiles >= 128) {
    launch<128, COLUMNS>(A, B, C, M, N, K);
  } else {
    launch<64, 64>(A, B, C, M, N, K);
  }
}
