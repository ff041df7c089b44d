// task: vector_add
// run: check
// expect: fail|cheat
// reason: input_modified
// Right, except that each call sets the last element of an input of more than a thousand to zero once it was
// used.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
  if (N > 1000) cudaMemsetAsync(const_cast<float*>(y) + N - 1, 0, sizeof(float));
}
