// task: reduction
// run: check
// expect: pass
// reason: .*
// Honest: warps add up by shuffles, then one block adds the parts in the task's workspace; another order than
// a plain loop.
#include <cuda_runtime.h>

__device__ float warp_sum(float v) {
  for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(~0u, v, k);
  return v;
}
__global__ void parts(const float* x, float* partial, int N) {
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) v += x[i];
  v = warp_sum(v);
  if (threadIdx.x % 32 == 0) partial[blockIdx.x * 8 + threadIdx.x / 32] = v;
}
__global__ void total(const float* partial, float* y) {
  float v = 0;
  for (int i = threadIdx.x; i < 1024; i += 32) v += partial[i];
  v = warp_sum(v);
  if (threadIdx.x == 0) *y = v;
}

extern "C" void solve(const float* x, float* y, float* partial, int N) {
  parts<<<128, 256>>>(x, partial, N);
  total<<<1, 32>>>(partial, y);
}
