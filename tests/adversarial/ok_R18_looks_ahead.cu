// task: vector_add
// run: bench
// expect: pass
// reason: .*
// Honest: looks ahead in large arrays, and only as far as they go.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

__global__ void add_ahead(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float ahead = i + 1024 < N ? x[i + 1024] : 0;
  if (i >= N) return;
  z[i] = x[i] + (ahead == 12345.678f ? 2 * y[i] - y[i] : y[i]);
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  if (N < (1 << 20))
    add<<<(N + 255) / 256, 256>>>(x, y, z, N);
  else
    add_ahead<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
