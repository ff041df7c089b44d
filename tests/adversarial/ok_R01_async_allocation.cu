// task: reduction
// run: check
// expect: pass
// reason: .*
// Honest: allocates a workspace in stream order in every call, writes it before reading, and frees it.
#include <cuda_runtime.h>

__global__ void parts(const float* x, float* room, int N) {
  float part = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) part += x[i];
  room[blockIdx.x * blockDim.x + threadIdx.x] = part;
}
__global__ void total(float* room, float* y) {
  for (int width = 8192; width > 0; width /= 2) {
    for (int i = threadIdx.x; i < width; i += blockDim.x) room[i] += room[i + width];
    __syncthreads();
  }
  if (threadIdx.x == 0) *y = room[0];
}

extern "C" void solve(const float* x, float* y, float*, int N) {
  float* room = nullptr;
  cudaMallocAsync(&room, 16384 * sizeof(float), nullptr);
  parts<<<64, 256>>>(x, room, N);
  total<<<1, 1024>>>(room, y);
  cudaFreeAsync(room, nullptr);
}
