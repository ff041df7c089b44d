// task: vector_add
// run: check
// expect: fail
// reason: wrong_values|nan
// One element in the middle is NaN, as if NaN matched anything.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = i == N / 2 ? NAN : x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
