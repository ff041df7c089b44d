// task: vector_add
// run: check
// expect: fail
// reason: wrong_values|nan|unwritten_output
// All bits set in all elements: the very pattern that a harness may poison outputs with.
#include <cuda_runtime.h>

extern "C" void solve(const float*, const float*, float* z, int N) {
  cudaMemsetAsync(z, 0xFF, sizeof(float) * N);
}
