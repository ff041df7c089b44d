// task: vector_add
// run: bench
// expect: pass
// reason: .*
// Honest: works on a stream of its own that waits for the default stream before and is waited for after.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static cudaStream_t own = nullptr;
  static cudaEvent_t before, after;
  if (!own) {
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&before, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&after, cudaEventDisableTiming);
  }
  cudaEventRecord(before);
  cudaStreamWaitEvent(own, before);
  add<<<(N + 255) / 256, 256, 0, own>>>(x, y, z, N);
  cudaEventRecord(after, own);
  cudaStreamWaitEvent(nullptr, after);
}
