// One element a thread, a shuffle sum in each warp, one atomic addition a warp, all to the same address.
#include <cuda_runtime.h>

__global__ void sum_warps(const float* x, float* y, int N) {
  size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  float v = i < static_cast<size_t>(N) ? x[i] : 0.0f;
  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(0xffffffffu, v, step);
  if (threadIdx.x % 32 == 0) atomicAdd(y, v);
}

extern "C" void solve(const float* x, float* y, float* /*partial*/, int N) {
  cudaMemsetAsync(y, 0, sizeof(float));
  sum_warps<<<(N - 1) / 256 + 1, 256>>>(x, y, N);
}
