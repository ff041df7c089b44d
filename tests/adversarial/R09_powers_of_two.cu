// task: transpose
// run: check
// expect: fail
// reason: wrong_values|unwritten_output|crash|out_of_bounds_write|nan
// Indexes with shifts and masks, which is right where both sides are powers of two.
#include <cuda_runtime.h>

__global__ void move(const float* x, float* y, int log_m, int log_n, size_t count) {
  size_t k = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  size_t to = (k & ((size_t{1} << log_n) - 1)) << log_m | k >> log_n;
  if (k < count && to < count) y[to] = x[k];
}

extern "C" void solve(const float* x, float* y, int M, int N) {
  size_t count = static_cast<size_t>(M) * N;
  move<<<(count + 255) / 256, 256>>>(x, y, 31 - __builtin_clz(M), 31 - __builtin_clz(N), count);
}
