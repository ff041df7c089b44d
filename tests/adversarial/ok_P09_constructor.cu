// task: vector_add
// run: check
// expect: pass
// reason: .*
// Honest: a constructor of the library fills a host table (block sizes by length).
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

static int block_size[32];
__attribute__((constructor)) static void fill() {
  for (int k = 0; k < 32; ++k) block_size[k] = k < 16 ? 128 : 256;
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  int size = block_size[31 - __builtin_clz(N)];
  add<<<(N + size - 1) / size, size>>>(x, y, z, N);
}
