// task: vector_add
// run: bench
// expect: pass
// reason: .*
// Honest: has the host called back when its kernel is done, to count its calls for a log of its own.
#include <atomic>

#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

std::atomic<long> done;
void count(void*) { ++done; }

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
  cudaLaunchHostFunc(nullptr, count, nullptr);
}
