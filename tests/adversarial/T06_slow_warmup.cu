// task: vector_add
// run: bench
// expect: fail|cheat|pass
// reason: .*
// never: keep
// Right at every call, but 20 ms slower in the first twelve so that an estimate made in the warm-up plans few
// samples.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

__global__ void wait(long long ns) {
  long long start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - start < ns);
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static int calls = 0;
  if (calls++ < 12) wait<<<1, 1>>>(20000000);
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
