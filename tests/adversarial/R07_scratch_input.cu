// task: vector_add
// run: check
// expect: fail|cheat
// reason: input_modified
// The output is right, but it is made in the first input and copied from there.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add<<<(N + 255) / 256, 256>>>(x, y, const_cast<float*>(x), N);
  cudaMemcpyAsync(z, x, sizeof(float) * N, cudaMemcpyDeviceToDevice);
}
