// task: vector_add
// run: bench
// expect: pass|fail|cheat
// reason: wrong_values|unwritten_output|stale_result|nondeterministic|too_fast|nan
// never: keep
// The first fifty calls of a large problem are right; later ones compute the first half only.
// The count is the host's: what is replayed was recorded in calls that are right and no faster.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < static_cast<size_t>(N)) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static int calls = 0;
  int n = N >= 1 << 20 && ++calls > 50 ? N / 2 : N;
  add<<<(n + 255) / 256, 256>>>(x, y, z, n);
}
