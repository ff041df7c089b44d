// task: vector_add
// run: check
// expect: crash|fail|cheat
// reason: timeout|work_escaped
// Right on the default stream; a kernel that never ends runs on a non-blocking stream.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

__global__ void forever(volatile int* flag) {
  while (*flag == 0) {
  }
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static cudaStream_t own = nullptr;
  if (!own) {
    int* flag = nullptr;
    cudaMalloc(&flag, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    forever<<<1, 1, 0, own>>>(flag);
  }
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
