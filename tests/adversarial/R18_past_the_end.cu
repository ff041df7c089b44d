// task: vector_add
// run: check
// expect: fail|crash
// reason: out_of_bounds_write|sanitizer|crash
// Writes 4 bytes behind the output.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
  cudaMemsetAsync(z + N, 0, sizeof(float));
}
