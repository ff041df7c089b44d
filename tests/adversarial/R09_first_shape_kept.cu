// task: vector_add
// run: check
// expect: fail|crash
// reason: unwritten_output|wrong_values|out_of_bounds_write|crash|nan
// The grid of the first call is kept in a static variable and used for every later one.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static const int blocks = (N + 255) / 256;
  add<<<blocks, 256>>>(x, y, z, N);
}
