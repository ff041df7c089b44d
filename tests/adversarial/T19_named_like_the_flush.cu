// task: vector_add
// run: bench
// expect: fail|cheat
// reason: work_escaped|wrong_values|unwritten_output
// Does its work in a kernel with the name of one of the harness's own, by which a judge that tells kernels apart by their
// names takes it for no work of the call.
#include <cuda_runtime.h>

extern "C" __global__ void explog_fill(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

__global__ void decoy() {}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  decoy<<<1, 1>>>();
  explog_fill<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
