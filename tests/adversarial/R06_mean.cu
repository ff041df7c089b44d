// task: softmax
// run: check
// expect: fail
// reason: wrong_values|nan
// The mean of a softmax, 1/D, everywhere; rows add up to 1.
#include <cuda_runtime.h>

__global__ void fill(float* y, size_t count, float value) {
  size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < count) y[i] = value;
}

extern "C" void solve(const float*, float* y, int N, int D) {
  size_t count = static_cast<size_t>(N) * D;
  fill<<<(count + 255) / 256, 256>>>(y, count, 1.0f / static_cast<float>(D));
}
