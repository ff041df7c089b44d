// task: vector_add
// run: check
// expect: fail|crash
// reason: launch_error|unwritten_output
// Blocks of 2048 threads cannot be launched; the error is ignored and the output stays what it was.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add<<<(N + 2047) / 2048, 2048>>>(x, y, z, N);
}
