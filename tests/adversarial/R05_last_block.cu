// task: vector_add
// run: check
// expect: fail
// reason: unwritten_output|wrong_values|nan
// The number of blocks is rounded down (the classic mistake), with one block at least.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add<<<N < 256 ? 1 : N / 256, 256>>>(x, y, z, N);
}
