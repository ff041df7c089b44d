// One thread a pixel; a loop over the taps whose length is known at run time only; all from global memory.
#include <cuda_runtime.h>

constexpr int block_x = 32, block_y = 8;

__global__ void convolve(const float* x, const float* w, float* y, int H, int W, int F, unsigned across) {
  const int j = blockIdx.x % across * block_x + threadIdx.x;
  const int i = blockIdx.x / across * block_y + threadIdx.y;
  if (i >= H || j >= W) return;
  float sum = 0;
  for (int u = 0; u < F; ++u) {
    for (int v = 0; v < F; ++v) {
      const int row = i + u - F / 2, column = j + v - F / 2;
      if (row < 0 || row >= H || column < 0 || column >= W) continue;
      sum += w[u * F + v] * x[static_cast<size_t>(row) * W + column];
    }
  }
  y[static_cast<size_t>(i) * W + j] = sum;
}

extern "C" void solve(const float* x, const float* w, float* y, int H, int W, int F) {
  const unsigned across = (static_cast<unsigned>(W) - 1) / block_x + 1;
  const unsigned down = (static_cast<unsigned>(H) - 1) / block_y + 1;
  convolve<<<across * down, dim3(block_x, block_y)>>>(x, w, y, H, W, F, across);
}
