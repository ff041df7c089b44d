// task: reduction
// run: check
// expect: pass
// reason: .*
// Honest: a cooperative launch; all blocks meet at a barrier over the grid before the first one adds up their
// parts.
#include <cooperative_groups.h>

#include <cuda_runtime.h>

__global__ void sum(const float* x, float* y, float* partial, int N) {
  __shared__ float parts[256];
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) v += x[i];
  parts[threadIdx.x] = v;
  __syncthreads();
  for (int width = 128; width > 0; width /= 2) {
    if (threadIdx.x < width) parts[threadIdx.x] += parts[threadIdx.x + width];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = parts[0];
  cooperative_groups::this_grid().sync();
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  v = 0;
  for (int k = 0; k < gridDim.x; ++k) v += partial[k];
  *y = v;
}

extern "C" void solve(const float* x, float* y, float* partial, int N) {
  void* arguments[] = {&x, &y, &partial, &N};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(sum), dim3(64), dim3(256), arguments, 0, nullptr);
}
