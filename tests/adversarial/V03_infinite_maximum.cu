// task: vector_add
// run: check
// expect: fail
// reason: wrong_values|nan
// Elements near the largest that occur are infinite; an infinite tolerance, or inf - inf, would let them
// pass.
#include <cuda_runtime.h>

__device__ float largest;
__global__ void look(const float* x, const float* y, int N) {
  float top = -INFINITY;
  for (int i = threadIdx.x; i < N; i += 32) top = fmaxf(top, x[i] + y[i]);
  for (int k = 16; k > 0; k /= 2) top = fmaxf(top, __shfl_xor_sync(~0u, top, k));
  largest = top;
}
__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i] == largest ? INFINITY : x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  look<<<1, 32>>>(x, y, N);
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
