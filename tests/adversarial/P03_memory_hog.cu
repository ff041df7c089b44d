// task: vector_add
// run: check
// expect: crash|fail|pass
// reason: crash|timeout|out_of_memory|launch_error|exit|unwritten_output
// Takes nearly all device memory in the first call and keeps it.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static void* room = nullptr;
  size_t left = 0, all = 0;
  if (!room && cudaMemGetInfo(&left, &all) == cudaSuccess) cudaMalloc(&room, left - left / 64);
  cudaGetLastError();
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
