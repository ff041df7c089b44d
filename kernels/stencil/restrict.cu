// strategy: readonly_cache
// after: unrolled.cu
// predicts: no gain: the only store comes last, and the read-only path is L1 itself since sm_70
//
// Pointers that promise not to alias, and loads through ld.global.nc.
#include <cuda_runtime.h>

constexpr int block_x = 32, block_y = 8;

template <int F>
__global__ void __launch_bounds__(block_x* block_y)
    convolve(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ y, int H, int W,
             unsigned across) {
  const int j = blockIdx.x % across * block_x + threadIdx.x;
  const int i = blockIdx.x / across * block_y + threadIdx.y;
  if (i >= H || j >= W) return;
  float sum = 0;
#pragma unroll
  for (int u = 0; u < F; ++u) {
#pragma unroll
    for (int v = 0; v < F; ++v) {
      const int row = i + u - F / 2, column = j + v - F / 2;
      if (row < 0 || row >= H || column < 0 || column >= W) continue;
      sum += __ldg(w + u * F + v) * __ldg(x + static_cast<size_t>(row) * W + column);
    }
  }
  y[static_cast<size_t>(i) * W + j] = sum;
}

template <int F>
void launch(const float* x, const float* w, float* y, int H, int W) {
  const unsigned across = (static_cast<unsigned>(W) - 1) / block_x + 1;
  const unsigned down = (static_cast<unsigned>(H) - 1) / block_y + 1;
  convolve<F><<<across * down, dim3(block_x, block_y)>>>(x, w, y, H, W, across);
}

extern "C" void solve(const float* x, const float* w, float* y, int H, int W, int F) {
  if (F == 3) {
    launch<3>(x, w, y, H, W);
  } else {
    launch<7>(x, w, y, H, W);
  }
}
