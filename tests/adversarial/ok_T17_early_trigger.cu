// task: vector_add
// run: bench
// expect: pass
// reason: .*
// Honest: tells dependent launches that they may start before it has written its output. Only a harness that
// launches its own kernels with programmatic serialisation would read too early.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
