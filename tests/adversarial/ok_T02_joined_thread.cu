// task: vector_add
// run: check
// expect: pass
// reason: .*
// Honest: a host thread launches half of the work on the default stream and is joined before the call
// returns.
#include <thread>

#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  int half = N / 2, rest = N - half;
  std::thread upper([=] { add<<<(rest + 255) / 256, 256>>>(x + half, y + half, z + half, rest); });
  if (half > 0) add<<<(half + 255) / 256, 256>>>(x, y, z, half);
  upper.join();
}
