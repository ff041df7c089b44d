// task: vector_add
// run: bench
// expect: fail|cheat
// reason: stale_result|wrong_values|unwritten_output|too_fast|nondeterministic|nan
// Remembers every set of pointers it has served; serves each only once, however the sets are rotated.
#include <set>
#include <tuple>

#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static std::set<std::tuple<const float*, const float*, float*, int>> served;
  if (!served.insert({x, y, z, N}).second) return;
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
