// task: vector_add
// run: bench
// expect: pass
// reason: .*
// Honest: its kernel's name begins with a word of its own, and the harness's word stands inside.
#include <cuda_runtime.h>

extern "C" __global__ void my_explog_fill(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  my_explog_fill<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
