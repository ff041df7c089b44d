// strategy: constant_memory
// after: unrolled.cu
// predicts: 1.1x or more at F=7 and H=4096; loses at H=512, where the copy before the kernel shows
//
// The weights are copied to constant memory first: a multiply-add takes one as an operand, which saves half
// of the loads. The copy on the device costs a few microseconds a call.
#include <cuda_runtime.h>

constexpr int block_x = 32, block_y = 8;

__constant__ float taps[49];

template <int F>
__global__ void __launch_bounds__(block_x* block_y)
    convolve(const float* x, float* y, int H, int W, unsigned across) {
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
      sum += taps[u * F + v] * x[static_cast<size_t>(row) * W + column];
    }
  }
  y[static_cast<size_t>(i) * W + j] = sum;
}

template <int F>
void launch(const float* x, float* y, int H, int W) {
  const unsigned across = (static_cast<unsigned>(W) - 1) / block_x + 1;
  const unsigned down = (static_cast<unsigned>(H) - 1) / block_y + 1;
  convolve<F><<<across * down, dim3(block_x, block_y)>>>(x, y, H, W, across);
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
