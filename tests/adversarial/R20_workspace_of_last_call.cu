// task: reduction
// run: check
// expect: fail
// reason: unwritten_output|wrong_values|nondeterministic|stale_result|nan|sanitizer
// Adds into a workspace of its own that was cleared when it was allocated and never again: the first call is
// right.
#include <cuda_runtime.h>

__global__ void sum(const float* x, float* room, int N) {
  float part = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) part += x[i];
  atomicAdd(room, part);
}

extern "C" void solve(const float* x, float* y, float*, int N) {
  static float* room = nullptr;
  if (!room) cudaMalloc(&room, sizeof(float)), cudaMemset(room, 0, sizeof(float));
  sum<<<64, 256>>>(x, room, N);
  cudaMemcpyAsync(y, room, sizeof(float), cudaMemcpyDeviceToDevice);
}
