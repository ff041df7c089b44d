// task: vector_add
// run: bench
// flags: -rdc=true
// expect: fail|cheat
// reason: work_escaped
// Right: one thread starts the kernels that do the work from the device and ends at once. A profiler's records hold that
// thread alone.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

__global__ void start(const float* x, const float* y, float* z, int N) {
  add<<<(N + 255) / 256, 256, 0, cudaStreamFireAndForget>>>(x, y, z, N);
}

extern "C" void solve(const float* x, const float* y, float* z, int N) { start<<<1, 1>>>(x, y, z, N); }
