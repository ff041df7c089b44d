// task: vector_add
// run: check
// expect: fail
// reason: unwritten_output|wrong_values|nan
// Writes the first half only.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  int n = (N + 1) / 2;
  add<<<(n + 255) / 256, 256>>>(x, y, z, n);
}
