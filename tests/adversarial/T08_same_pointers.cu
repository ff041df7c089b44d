// task: vector_add
// run: bench
// expect: fail|cheat
// reason: stale_result|wrong_values|unwritten_output|too_fast|nondeterministic|nan
// Returns at once when it is called again with the pointers of the call before.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static const float *last_x, *last_y, *last_z;
  static int last_N;
  if (x == last_x && y == last_y && z == last_z && N == last_N) return;
  last_x = x, last_y = y, last_z = z, last_N = N;
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
