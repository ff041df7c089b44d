// task: layernorm
// run: check
// expect: fail
// reason: wrong_values|signature|nan
// Copies the input: a standard normal row is nearly normalised already.
#include <cuda_runtime.h>

extern "C" void solve(const float* x, const float*, const float*, float* y, int N, int D, float) {
  cudaMemcpyAsync(y, x, sizeof(float) * N * D, cudaMemcpyDeviceToDevice);
}
