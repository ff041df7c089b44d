// task: vector_add
// run: bench
// expect: fail|cheat|crash
// reason: thread_left|work_escaped|wrong_values|unwritten_output|nondeterministic|too_fast|nan|stale_result
// A detached host thread launches the kernel 100 microseconds after the call has returned.
#include <chrono>
#include <thread>

#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  std::thread([=] {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    add<<<(N + 255) / 256, 256>>>(x, y, z, N);
  }).detach();
}
