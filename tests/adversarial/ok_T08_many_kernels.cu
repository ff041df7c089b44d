// task: vector_add
// run: bench
// expect: pass
// reason: .*
// Honest: a hundred small kernels in place of one.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  int chunk = (N + 99) / 100;
  for (int begin = 0; begin < N; begin += chunk) {
    int n = N - begin < chunk ? N - begin : chunk;
    add<<<(n + 255) / 256, 256>>>(x + begin, y + begin, z + begin, n);
  }
}
