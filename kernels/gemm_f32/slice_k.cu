// strategy: split_k
// after: async_copy.cu
// predicts: 1.1 to 1.3x at 1024 and 512, where a thread then has 8 x 8 sums; no change from 2048 on
//
// Small matrices are split along K, but within a block: four pairs of warps work on the same 64 x 64 outputs,
// each on its quarter of a slice. No workspace, no atomics, and always the same order of additions.
#include <cuda_runtime.h>

#include "../lib/cp_async.cuh"

constexpr int threads = 256;  // 4 x 2 warps, of 4 x 8 lanes
constexpr int parts = 4;      // of a slice along K in the small kernel
constexpr int depth = 16;     // of a slice along K
constexpr int stages = 3;
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
  const int i0 = blockIdx.y * Rows, j0 = blockIdx.x * Columns;
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

// 64 x 64 outputs a block, in each of four parts of two warps, 8 x 8 a thread: part p takes steps 8 p to
// 8 p + 7 of every 32 along K. The parts' sums meet in shared memory and are added in their order.
constexpr int side = 64, deep = 32, pitch_deep = deep + 4;
constexpr int part_threads = threads / parts, part_depth = deep / parts;
constexpr int deep_a = side * pitch_deep, deep_b = deep * side;  // floats
constexpr int ring_bytes = stages * (deep_a + deep_b) * 4, sums_bytes = parts * side * side * 4;
constexpr int small_bytes = ring_bytes > sums_bytes ? ring_bytes : sums_bytes;

template <bool QuadA, bool QuadB>
__global__ void __launch_bounds__(threads, 2)
    gemm_parts(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N,
               int K) {
  constexpr int tall = 8, wide = 8;  // outputs of a thread
  extern __shared__ __align__(16) float shared[];
  float* const all_a = shared;
  float* const all_b = shared + stages * deep_a;
  const int part = threadIdx.x / part_threads, t = threadIdx.x % part_threads, warp = t / 32, lane = t % 32;
  const int row0 = warp * 32 + lane / 16 * 2 + lane % 2, column0 = lane / 2 % 8 * 4;
  const int i0 = blockIdx.y * side, j0 = blockIdx.x * side;
  const int slices = (K + deep - 1) / deep;

  auto fetch = [&](int s) {
    if (s < slices) {
      load_box<side, deep, pitch_deep, QuadA>(all_a + s % stages * deep_a, A, i0, s * deep, M, K);
      load_box<deep, side, side, QuadB>(all_b + s % stages * deep_b, B, s * deep, j0, K, N);
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
    const float* a = all_a + s % stages * deep_a + row0 * pitch_deep + part * part_depth;
    const float* b = all_b + s % stages * deep_b + part * part_depth * side + column0;
#pragma unroll
    for (int k0 = 0; k0 < part_depth; k0 += 4) {
      float left[tall][4];
#pragma unroll
      for (int i = 0; i < tall; ++i)
        unpack(left[i], *reinterpret_cast<const float4*>(a + i * 4 * pitch_deep + k0));
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        float right[wide];
#pragma unroll
        for (int g = 0; g < wide / 4; ++g)
          unpack(right + g * 4, *reinterpret_cast<const float4*>(b + (k0 + k) * side + g * 32));
#pragma unroll
        for (int i = 0; i < tall; ++i) {
#pragma unroll
          for (int j = 0; j < wide; ++j) sum[i][j] += left[i][k] * right[j];
        }
      }
    }
  }

  // shared: [part][output of a thread][thread]. Each part then adds up a quarter of the outputs.
  cp_async_wait<0>();
  __syncthreads();
#pragma unroll
  for (int i = 0; i < tall; ++i) {
#pragma unroll
    for (int j = 0; j < wide; ++j) shared[((part * tall + i) * wide + j) * part_threads + t] = sum[i][j];
  }
  __syncthreads();
#pragma unroll
  for (int q = 0; q < tall * wide / parts; ++q) {
    const int output = part * (tall * wide / parts) + q, i = output / wide, j = output % wide;
    float total = 0;
#pragma unroll
    for (int p = 0; p < parts; ++p) total += shared[(p * tall * wide + output) * part_threads + t];
    const int row = i0 + row0 + i * 4, column = j0 + column0 + j / 4 * 32 + j % 4;
    if (row < M && column < N) C[static_cast<size_t>(row) * N + column] = total;
  }
}

template <bool QuadA, bool QuadB>
void launch_tiles(const float* A, const float* B, float* C, int M, int N, int K) {
  // Tiles of 128 only where there are enough of them for every multiprocessor of a large GPU.
  const long long tiles = static_cast<long long>((M + 127) / 128) * ((N + 127) / 128);
  if (tiles >= 128) {
    constexpr int bytes = shared_bytes(128, 128);
    cudaFuncSetAttribute(gemm<128, 128, QuadA, QuadB>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    dim3 grid((N + 127) / 128, (M + 127) / 128);
    gemm<128, 128, QuadA, QuadB><<<grid, threads, bytes>>>(A, B, C, M, N, K);
  } else {
    cudaFuncSetAttribute(gemm_parts<QuadA, QuadB>, cudaFuncAttributeMaxDynamicSharedMemorySize, small_bytes);
    dim3 grid((N + side - 1) / side, (M + side - 1) / side);
    gemm_parts<QuadA, QuadB><<<grid, threads, small_bytes>>>(A, B, C, M, N, K);
  }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  const bool quad_a = K % 4 == 0, quad_b = N % 4 == 0;
  if (quad_a && quad_b) {
    launch_tiles<true, true>(A, B, C, M, N, K);
  } else if (quad_b) {
    launch_tiles<false, true>(A, B, C, M, N, K);
  } else if (quad_a) {
    launch_tiles<true, false>(A, B, C, M, N, K);
  } else {
    launch_tiles<false, false>(A, B, C, M, N, K);
  }
}
