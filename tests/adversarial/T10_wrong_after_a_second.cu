// task: vector_add
// run: bench
// expect: fail|cheat
// reason: wrong_values|unwritten_output|stale_result|nondeterministic|too_fast|nan
// Looks at the device's clock instead of counting calls: one second after the first call it skips the last
// quarter.
#include <cuda_runtime.h>

__device__ unsigned long long first = 0;
__device__ int lazy = 0;
__global__ void look() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  if (first == 0) first = now;
  lazy = now - first > 1000000000ull;
}
__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < (lazy ? N - N / 4 - 1 : N)) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  look<<<1, 1>>>();
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
