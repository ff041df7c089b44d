// task: vector_add
// run: bench
// expect: fail|cheat
// reason: work_escaped|wrong_values|unwritten_output|nondeterministic|too_fast|nan
// A tenth of the work on the default stream for the events to see, the rest on a non-blocking stream.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static cudaStream_t own = nullptr;
  if (!own) cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  int part = N / 10, rest = N - part;
  if (part > 0) add<<<(part + 255) / 256, 256>>>(x, y, z, part);
  add<<<(rest + 255) / 256, 256, 0, own>>>(x + part, y + part, z + part, rest);
}
