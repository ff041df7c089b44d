// task: vector_add
// run: check
// expect: crash|fail
// reason: launch_error|crash|sanitizer|nan|wrong_values
// Reads float4 from an address that is a multiple of four only.
#include <cuda_runtime.h>

__global__ void add4(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 a = *reinterpret_cast<const float4*>(x + 1);
  if (i < N) z[i] = x[i] + y[i] + 0 * a.x;
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add4<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
