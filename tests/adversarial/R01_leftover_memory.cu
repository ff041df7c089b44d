// task: vector_add
// run: check
// expect: fail
// reason: unwritten_output|wrong_values|nondeterministic|nan|sanitizer
// Computes nothing: returns what freshly allocated memory of the right size contains, in the hope for a freed
// result.
#include <cuda_runtime.h>

extern "C" void solve(const float*, const float*, float* z, int N) {
  void* block = nullptr;
  cudaMalloc(&block, sizeof(float) * N);
  cudaMemcpy(z, block, sizeof(float) * N, cudaMemcpyDeviceToDevice);
  cudaFree(block);
}
