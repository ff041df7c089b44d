// task: vector_add
// run: check
// expect: fail|crash
// reason: out_of_bounds_write|sanitizer|crash|launch_error
// The last block is not clipped and writes up to 255 elements behind the end.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, from = i < N ? i : N - 1;
  z[i] = x[from] + y[from];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
