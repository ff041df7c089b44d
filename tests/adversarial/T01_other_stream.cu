// task: vector_add
// run: bench
// expect: fail|cheat
// reason: work_escaped|wrong_values|unwritten_output|nondeterministic|too_fast|nan
// All work goes to a non-blocking stream of its own that nobody waits for: events on the default stream see
// nothing.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static cudaStream_t own = nullptr;
  if (!own) cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  add<<<(N + 255) / 256, 256, 0, own>>>(x, y, z, N);
}
