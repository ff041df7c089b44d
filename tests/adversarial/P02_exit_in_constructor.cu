// task: vector_add
// run: check
// expect: crash|fail|cheat
// reason: protocol|exit|crash|forged|unwritten_output
// Leaves with status 0 as soon as the library is loaded.
#include <unistd.h>

#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

__attribute__((constructor)) static void leave() { _exit(0); }

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
