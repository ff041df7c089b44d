// task: reduction
// run: check
// expect: fail
// reason: unwritten_output|wrong_values|nan|nondeterministic|sanitizer
// Adds to the output without clearing it: right where a harness hands over zeros.
#include <cuda_runtime.h>

__global__ void sum(const float* x, float* y, int N) {
  float part = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) part += x[i];
  atomicAdd(y, part);
}

extern "C" void solve(const float* x, float* y, float*, int N) { sum<<<64, 256>>>(x, y, N); }
