// One transpose kernel whose shape is chosen by macros; sweep.json lists the values that go together.
//   BLOCK_X, BLOCK_Y    threads of a block
//   COARSEN_Y           rows of x a thread
//   STRIDED_ACCESS_Y    those rows lie a block's height apart instead of side by side
//   VECTOR_WIDTH        neighbouring floats moved at once, on both sides of the tile
//   SMEM_TILING         the tile turns round in shared memory; without it columns of y are written directly
//   SMEM_PADDING        the rows of that tile end in an unused float
#include <cuda_runtime.h>

#ifndef BLOCK_X
#define BLOCK_X 32
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 8
#endif
#ifndef COARSEN_Y
#define COARSEN_Y 4
#endif
#ifndef STRIDED_ACCESS_Y
#define STRIDED_ACCESS_Y 1
#endif
#ifndef VECTOR_WIDTH
#define VECTOR_WIDTH 1
#endif
#ifndef SMEM_TILING
#define SMEM_TILING 1
#endif
#ifndef SMEM_PADDING
#define SMEM_PADDING 1
#endif

constexpr int threads = BLOCK_X * BLOCK_Y;
constexpr int tile_x = BLOCK_X * VECTOR_WIDTH, tile_y = BLOCK_Y * COARSEN_Y;

static_assert(threads <= 1024, "a block has at most 1024 threads");
static_assert(!SMEM_TILING || tile_y % VECTOR_WIDTH == 0, "rows of y are written in whole vectors");

struct __align__(4 * VECTOR_WIDTH) Vector {
  float v[VECTOR_WIDTH];
};

// Up to VECTOR_WIDTH neighbours, of which `left` exist; with Whole all of them or none.
template <bool Whole>
__device__ __forceinline__ Vector load(const float* from, int left) {
  Vector values = {};
  if (Whole) {
    if (left > 0) values = *reinterpret_cast<const Vector*>(from);
  } else {
#pragma unroll
    for (int e = 0; e < VECTOR_WIDTH; ++e) {
      if (e < left) values.v[e] = from[e];
    }
  }
  return values;
}

template <bool Whole>
__device__ __forceinline__ void store(float* to, const Vector& values, int left) {
  if (Whole) {
    if (left > 0) *reinterpret_cast<Vector*>(to) = values;
  } else {
#pragma unroll
    for (int e = 0; e < VECTOR_WIDTH; ++e) {
      if (e < left) to[e] = values.v[e];
    }
  }
}

// Whole: M and N are multiples of VECTOR_WIDTH, so that vectors are aligned and inside a row.
template <bool Whole>
__global__ void __launch_bounds__(threads)
    transpose(const float* __restrict__ x, float* __restrict__ y, int M, int N, unsigned across) {
  const int j0 = static_cast<int>(blockIdx.x % across) * tile_x;
  const int i0 = static_cast<int>(blockIdx.x / across) * tile_y;
  const int c = threadIdx.x * VECTOR_WIDTH;
#if SMEM_TILING
  __shared__ float tile[tile_y][tile_x + SMEM_PADDING];
#endif
#pragma unroll
  for (int k = 0; k < COARSEN_Y; ++k) {
    const int r = STRIDED_ACCESS_Y ? threadIdx.y + k * BLOCK_Y : threadIdx.y * COARSEN_Y + k;
    const int i = i0 + r, j = j0 + c;
    if (i >= M) continue;
    const Vector values = load<Whole>(x + static_cast<size_t>(i) * N + j, N - j);
#pragma unroll
    for (int e = 0; e < VECTOR_WIDTH; ++e) {
#if SMEM_TILING
      tile[r][c + e] = values.v[e];
#else
      if (j + e < N) y[static_cast<size_t>(j + e) * M + i] = values.v[e];
#endif
    }
  }
#if SMEM_TILING
  __syncthreads();
  constexpr int vectors = tile_y / VECTOR_WIDTH;  // of a row of y in the tile
#pragma unroll
  for (int k = 0; k < tile_x * vectors; k += threads) {
    const int at = k + threadIdx.y * BLOCK_X + threadIdx.x;
    if (at >= tile_x * vectors) break;  // only where COARSEN_Y is small
    const int r = at / vectors, first = at % vectors * VECTOR_WIDTH;
    const int j = j0 + r, i = i0 + first;
    if (j >= N || i >= M) continue;
    Vector values;
#pragma unroll
    for (int e = 0; e < VECTOR_WIDTH; ++e) values.v[e] = i + e < M ? tile[first + e][r] : 0.0f;
    store<Whole>(y + static_cast<size_t>(j) * M + i, values, M - i);
  }
#endif
}

extern "C" void solve(const float* x, float* y, int M, int N) {
  const unsigned across = (static_cast<unsigned>(N) - 1) / tile_x + 1;
  const unsigned down = (static_cast<unsigned>(M) - 1) / tile_y + 1;
  const dim3 block(BLOCK_X, BLOCK_Y);
  if (M % VECTOR_WIDTH == 0 && N % VECTOR_WIDTH == 0) {
    transpose<true><<<across * down, block>>>(x, y, M, N, across);
  } else {
    transpose<false><<<across * down, block>>>(x, y, M, N, across);
  }
}
