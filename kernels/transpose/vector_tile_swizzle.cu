// strategy: smem_swizzle
// after: vector_tile.cu
// predicts: 0-4%: removes 4-way conflicts that no 16-byte padding can, but memory is the limit
//
// Float4 number c of row r lies at c ^ (r / 4 % 8): rows are written and every fourth row is read without a
// conflict, at no cost in memory.
#include <cuda_runtime.h>

#include "../lib/streaming.cuh"

#ifndef TILE_I
#define TILE_I 64
#endif

constexpr int tile_i = TILE_I, tile_j = 64;  // rows and columns of x
constexpr int quads_i = tile_i / 4, quads_j = tile_j / 4;
constexpr int threads = 256;

struct Origin {
  int i, j;
};

__device__ __forceinline__ Origin origin_of(unsigned tile, unsigned tiles_across) {
  return {static_cast<int>(tile / tiles_across) * tile_i, static_cast<int>(tile % tiles_across) * tile_j};
}

// Of float4 `quad` in a row of the tile. The threads of a quarter of a warp read every fourth row, so those
// rows differ in all eight 16-byte bank groups.
__device__ __forceinline__ int place(int row, int quad) { return row * quads_j + (quad ^ (row / 4 % 8)); }

// M and N are multiples of 4, so a quad is inside the matrix or outside, never cut.
__device__ __forceinline__ void read_tile(const float* __restrict__ x, float4* held, Origin o, int M, int N) {
  const int quad = threadIdx.x % quads_j, first = threadIdx.x / quads_j;
  constexpr int step = threads / quads_j, count = tile_i / step;
  float4 v[count];
#pragma unroll
  for (int k = 0; k < count; ++k) {
    const int i = o.i + first + k * step, j = o.j + quad * 4;
    v[k] = make_float4(0, 0, 0, 0);
    if (i < M && j < N) v[k] = load_once(reinterpret_cast<const float4*>(x + static_cast<size_t>(i) * N + j));
  }
#pragma unroll
  for (int k = 0; k < count; ++k) held[place(first + k * step, quad)] = v[k];
}

// A thread turns blocks of 4 x 4 in registers; neighbouring threads write neighbouring quads of a row of y.
__device__ __forceinline__ void write_tile(float* __restrict__ y, const float4* held, Origin o, int M,
                                           int N) {
  const int quad = threadIdx.x % quads_i;
#pragma unroll
  for (int c = threadIdx.x / quads_i; c < quads_j; c += threads / quads_i) {
    const int i = o.i + quad * 4, j = o.j + c * 4;
    if (i >= M || j >= N) continue;
    float4 r[4];
#pragma unroll
    for (int e = 0; e < 4; ++e) r[e] = held[place(quad * 4 + e, c)];
    float* out = y + static_cast<size_t>(j) * M + i;
    const size_t row = static_cast<size_t>(M);
    store_once(reinterpret_cast<float4*>(out), make_float4(r[0].x, r[1].x, r[2].x, r[3].x));
    store_once(reinterpret_cast<float4*>(out + row), make_float4(r[0].y, r[1].y, r[2].y, r[3].y));
    store_once(reinterpret_cast<float4*>(out + 2 * row), make_float4(r[0].z, r[1].z, r[2].z, r[3].z));
    store_once(reinterpret_cast<float4*>(out + 3 * row), make_float4(r[0].w, r[1].w, r[2].w, r[3].w));
  }
}

__global__ void __launch_bounds__(threads)
    transpose_quads(const float* __restrict__ x, float* __restrict__ y, int M, int N, unsigned tiles_across) {
  __shared__ float4 held[tile_i * quads_j];
  const Origin o = origin_of(blockIdx.x, tiles_across);
  read_tile(x, held, o, M, N);
  __syncthreads();
  write_tile(y, held, o, M, N);
}

// Where rows are not aligned to 16 bytes: element by element.
constexpr int small = 32, small_rows = 8;
__global__ void __launch_bounds__(small* small_rows)
    transpose_any(const float* __restrict__ x, float* __restrict__ y, int M, int N, unsigned tiles_across) {
  __shared__ float held[small][small + 1];
  const int j0 = static_cast<int>(blockIdx.x % tiles_across) * small;
  const int i0 = static_cast<int>(blockIdx.x / tiles_across) * small;
  const int tx = threadIdx.x, ty = threadIdx.y;
#pragma unroll
  for (int r = ty; r < small; r += small_rows) {
    if (i0 + r < M && j0 + tx < N) held[r][tx] = x[static_cast<size_t>(i0 + r) * N + j0 + tx];
  }
  __syncthreads();
#pragma unroll
  for (int r = ty; r < small; r += small_rows) {
    if (j0 + r < N && i0 + tx < M) y[static_cast<size_t>(j0 + r) * M + i0 + tx] = held[tx][r];
  }
}

unsigned pieces(int length, int piece) { return (static_cast<unsigned>(length) - 1) / piece + 1; }

extern "C" void solve(const float* x, float* y, int M, int N) {
  if (M % 4 == 0 && N % 4 == 0) {
    const unsigned across = pieces(N, tile_j);
    transpose_quads<<<across * pieces(M, tile_i), threads>>>(x, y, M, N, across);
  } else {
    const unsigned across = pieces(N, small);
    transpose_any<<<across * pieces(M, small), dim3(small, small_rows)>>>(x, y, M, N, across);
  }
}
