// task: vector_add
// run: bench
// flags: -rdc=true
// expect: fail|cheat
// reason: work_escaped
// Right: the first half of the work is done by the kernel that solve() launches, the other half by one that this kernel
// leaves for its end.
#include <cuda_runtime.h>

__global__ void second_half(const float* x, const float* y, float* z, int N) {
  int i = N / 2 + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

__global__ void first_half(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N / 2) z[i] = x[i] + y[i];
  if (i == 0) second_half<<<(N - N / 2 + 255) / 256, 256, 0, cudaStreamTailLaunch>>>(x, y, z, N);
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  first_half<<<(N / 2 + 255) / 256 + 1, 256>>>(x, y, z, N);
}
