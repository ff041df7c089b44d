// task: vector_add
// run: check
// expect: fail|cheat|crash
// reason: out_of_bounds_write|input_modified|sanitizer|crash|launch_error
// Writes 4 bytes behind the first input, from a kernel.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

__global__ void stray(float* x) { *x = 0; }

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
  stray<<<1, 1>>>(const_cast<float*>(x) + N);
}
