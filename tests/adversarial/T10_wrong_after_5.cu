// task: vector_add
// run: check
// expect: fail|cheat
// reason: wrong_values|unwritten_output|stale_result|nondeterministic|nan
// The first five calls are right; later ones leave out the second half. The count is kept on the device.
#include <cuda_runtime.h>

__device__ int calls = 0;
__global__ void count() { ++calls; }
__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < (calls > 5 ? N / 2 : N)) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  count<<<1, 1>>>();
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
