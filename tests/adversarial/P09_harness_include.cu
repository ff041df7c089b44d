// task: vector_add
// run: check
// expect: fail|crash
// reason: compile_error
// Right, but includes a source of the harness (the generator of its inputs), which must be out of its reach.
#include "../../kernels/harness/generate.h"

#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
