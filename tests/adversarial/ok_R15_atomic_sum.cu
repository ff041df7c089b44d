// task: reduction
// run: bench
// expect: pass
// reason: .*
// Honest: every thread adds its part with an atomic operation; the last bits differ from run to run.
#include <cuda_runtime.h>

__global__ void sum(const float* x, float* y, int N) {
  float part = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) part += x[i];
  atomicAdd(y, part);
}

extern "C" void solve(const float* x, float* y, float*, int N) {
  cudaMemsetAsync(y, 0, sizeof(float));
  sum<<<256, 256>>>(x, y, N);
}
