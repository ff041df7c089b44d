// task: vector_add
// run: bench
// expect: fail|cheat
// reason: wrong_values|unwritten_output|stale_result|nondeterministic|too_fast|nan
// After the tenth large call every seventh one launches nothing, which the median of the times never shows.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static int calls = 0;
  if (N >= 1 << 20 && ++calls > 10 && calls % 7 == 0) return;
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
