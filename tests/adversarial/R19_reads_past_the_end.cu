// task: vector_add
// run: check
// expect: fail|crash
// reason: nan|wrong_values|sanitizer|nondeterministic|crash|launch_error
// Each element also gets its right neighbour times zero, the last one from behind the end: right unless that
// is NaN.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i] + 0.0f * x[i + 1];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
