// task: vector_add
// run: check
// flags: -rdc=true
// expect: pass
// reason: .*
// Honest: the kernels that do the work are started from the device, and the call ends with them. Right, though nobody can
// time it and of compute-sanitizer's tools memcheck alone can watch it.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

__global__ void start(const float* x, const float* y, float* z, int N) {
  if (N > 0) add<<<(N + 255) / 256, 256>>>(x, y, z, N);
}

extern "C" void solve(const float* x, const float* y, float* z, int N) { start<<<1, 1>>>(x, y, z, N); }
