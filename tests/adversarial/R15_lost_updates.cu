// task: reduction
// run: check
// expect: fail
// reason: wrong_values|nondeterministic|signature|nan|sanitizer
// Every thread adds to the same element without an atomic operation, and updates are lost.
#include <cuda_runtime.h>

__global__ void sum(const float* x, volatile float* y, int N) {
  float part = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) part += x[i];
  *y = *y + part;
}

extern "C" void solve(const float* x, float* y, float*, int N) {
  cudaMemsetAsync(y, 0, sizeof(float));
  sum<<<64, 256>>>(x, y, N);
}
