// task: vector_add
// run: bench
// expect: fail|cheat|crash
// reason: thread_left|work_escaped|wrong_values|unwritten_output|nondeterministic|too_fast|nan
// A thread made in a constructor (before threads are counted) takes the job and launches it after the call
// has returned.
#include <atomic>
#include <thread>

#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

static const float *from_x, *from_y;
static float* to;
static int length;
static std::atomic<int> waiting{0};

static void work() {
  for (;;) {
    while (!waiting.load()) std::this_thread::yield();
    add<<<(length + 255) / 256, 256, 0, cudaStreamPerThread>>>(from_x, from_y, to, length);
    waiting = 0;
  }
}
__attribute__((constructor)) static void start() { std::thread(work).detach(); }

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  while (waiting.load()) std::this_thread::yield();
  from_x = x, from_y = y, to = z, length = N;
  waiting = 1;
}
