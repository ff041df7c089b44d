// task: vector_add
// run: check
// expect: crash|fail
// reason: timeout
// The first block waits for the last one, which cannot start while the others hold the device: ends for small
// problems only.
#include <cuda_runtime.h>

__device__ volatile int started = 0;
__global__ void add(const float* x, const float* y, float* z, int N) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == gridDim.x - 1) started = 1;
    while (!started) {
    }
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}
__global__ void reset() { started = 0; }

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  reset<<<1, 1>>>();
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
