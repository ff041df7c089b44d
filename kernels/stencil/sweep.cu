// One filter kernel whose shape is chosen by macros; sweep.json lists the values that go together.
//   BLOCK_X, BLOCK_Y        threads of a block
//   COARSEN_X, COARSEN_Y    pixels a thread; rows are neighbours
//   STRIDED_ACCESS_X        a thread's columns lie a block's width apart instead of side by side
//   SMEM_TILING             pixels come through shared memory instead of straight from global memory
//   SMEM_PADDING            the rows of that tile end in an unused float
#include <cuda_runtime.h>

#ifndef BLOCK_X
#define BLOCK_X 32
#endif
#ifndef BLOCK_Y
#define BLOCK_Y 8
#endif
#ifndef COARSEN_X
#define COARSEN_X 1
#endif
#ifndef COARSEN_Y
#define COARSEN_Y 1
#endif
#ifndef STRIDED_ACCESS_X
#define STRIDED_ACCESS_X 0
#endif
#ifndef SMEM_TILING
#define SMEM_TILING 0
#endif
#ifndef SMEM_PADDING
#define SMEM_PADDING 0
#endif

constexpr int threads = BLOCK_X * BLOCK_Y;
constexpr int tile_x = BLOCK_X * COARSEN_X, tile_y = BLOCK_Y * COARSEN_Y;
constexpr bool strided = STRIDED_ACCESS_X != 0 && COARSEN_X > 1;
constexpr int runs = strided ? COARSEN_X : 1;         // of neighbouring columns a thread
constexpr int run_length = COARSEN_X / runs;          // pixels
constexpr int thread_step = strided ? 1 : COARSEN_X;  // columns from one thread to the next

static_assert(threads <= 1024, "a block has at most 1024 threads");

__constant__ float taps[49];

// The pixels under the block's filters: `at` counts from the tile's upper left corner, border included.
template <int F>
struct Pixels {
  static constexpr int rows = tile_y + F - 1, columns = tile_x + F - 1;
  const float* x;
  int i0, j0, H, W;

  __device__ __forceinline__ float global(int r, int c) const {
    const int row = i0 + r, column = j0 + c;
    const bool inside = row >= 0 && row < H && column >= 0 && column < W;
    return inside ? x[static_cast<size_t>(row) * W + column] : 0.0f;
  }
#if SMEM_TILING
  float (*tile)[columns + SMEM_PADDING];

  __device__ __forceinline__ void stage() {
    __shared__ float room[rows][columns + SMEM_PADDING];
    tile = room;
    for (int k = threadIdx.y * BLOCK_X + threadIdx.x; k < rows * columns; k += threads) {
      room[k / columns][k % columns] = global(k / columns, k % columns);
    }
    __syncthreads();
  }
  __device__ __forceinline__ float at(int r, int c) const { return tile[r][c]; }
#else
  __device__ __forceinline__ void stage() {}
  __device__ __forceinline__ float at(int r, int c) const { return global(r, c); }
#endif
};

template <int F>
__global__ void __launch_bounds__(threads) convolve(const float* x, float* y, int H, int W, unsigned across) {
  const int j0 = blockIdx.x % across * tile_x, i0 = blockIdx.x / across * tile_y;
  const int first_row = threadIdx.y * COARSEN_Y, first_column = threadIdx.x * thread_step;
  Pixels<F> pixels{x, i0 - F / 2, j0 - F / 2, H, W};
  pixels.stage();
  float sum[COARSEN_Y][runs][run_length] = {};
#pragma unroll
  for (int q = 0; q < COARSEN_Y + F - 1; ++q) {
#pragma unroll
    for (int s = 0; s < runs; ++s) {
      float row[run_length + F - 1];
#pragma unroll
      for (int c = 0; c < run_length + F - 1; ++c) {
        row[c] = pixels.at(first_row + q, first_column + s * BLOCK_X + c);
      }
#pragma unroll
      for (int a = 0; a < COARSEN_Y; ++a) {
        const int u = q - a;
        if (u < 0 || u >= F) continue;
#pragma unroll
        for (int v = 0; v < F; ++v) {
#pragma unroll
          for (int b = 0; b < run_length; ++b) sum[a][s][b] += taps[u * F + v] * row[b + v];
        }
      }
    }
  }
#pragma unroll
  for (int a = 0; a < COARSEN_Y; ++a) {
#pragma unroll
    for (int s = 0; s < runs; ++s) {
#pragma unroll
      for (int b = 0; b < run_length; ++b) {
        const int i = i0 + first_row + a, j = j0 + first_column + s * BLOCK_X + b;
        if (i < H && j < W) y[static_cast<size_t>(i) * W + j] = sum[a][s][b];
      }
    }
  }
}

template <int F>
void launch(const float* x, float* y, int H, int W) {
  const unsigned across = (static_cast<unsigned>(W) - 1) / tile_x + 1;
  const unsigned down = (static_cast<unsigned>(H) - 1) / tile_y + 1;
  convolve<F><<<across * down, dim3(BLOCK_X, BLOCK_Y)>>>(x, y, H, W, across);
}

extern "C" void solve(const float* x, const float* w, float* y, int H, int W, int F) {
  // On the device and in stream order: the weights of this call, before its kernel.
  cudaMemcpyToSymbolAsync(taps, w, sizeof(float) * F * F, 0, cudaMemcpyDeviceToDevice);
  if (F == 3) {
    launch<3>(x, y, H, W);
  } else {
    launch<7>(x, y, H, W);
  }
}
