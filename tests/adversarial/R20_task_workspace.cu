// task: reduction
// run: check
// expect: fail
// reason: unwritten_output|wrong_values|nondeterministic|nan|sanitizer
// Takes the task's workspace for cleared.
#include <cuda_runtime.h>

__global__ void sum(const float* x, float* room, int N) {
  float part = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) part += x[i];
  atomicAdd(room, part);
}

extern "C" void solve(const float* x, float* y, float* partial, int N) {
  sum<<<64, 256>>>(x, partial, N);
  cudaMemcpyAsync(y, partial, sizeof(float), cudaMemcpyDeviceToDevice);
}
