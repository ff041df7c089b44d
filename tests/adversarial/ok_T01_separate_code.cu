// task: vector_add
// run: bench
// flags: -rdc=true
// expect: pass
// reason: .*
// Honest: device code that is compiled by itself and linked, as what starts kernels from the device must be; it starts none.
#include <cuda_runtime.h>

__device__ __noinline__ float sum(float a, float b);

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = sum(x[i], y[i]);
}

__device__ __noinline__ float sum(float a, float b) { return a + b; }

extern "C" void solve(const float* x, const float* y, float* z, int N) { add<<<(N + 255) / 256, 256>>>(x, y, z, N); }
