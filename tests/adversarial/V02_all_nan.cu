// task: softmax
// run: check
// expect: fail
// reason: wrong_values|nan|unwritten_output
// All elements are NaN; a comparison written as "error > tolerance" is never true.
#include <cuda_runtime.h>

__global__ void fill(float* y, size_t count) {
  size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < count) y[i] = NAN;
}

extern "C" void solve(const float*, float* y, int N, int D) {
  size_t count = static_cast<size_t>(N) * D;
  fill<<<(count + 255) / 256, 256>>>(y, count);
}
