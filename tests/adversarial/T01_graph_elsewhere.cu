// task: vector_add
// run: bench
// expect: fail|cheat
// reason: work_escaped|wrong_values|unwritten_output|nondeterministic|too_fast|nan
// A graph of one kernel, launched into a non-blocking stream that nobody waits for.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static cudaStream_t own = nullptr;
  if (!own) cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal);
  add<<<(N + 255) / 256, 256, 0, own>>>(x, y, z, N);
  cudaStreamEndCapture(own, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, own);
  cudaGraphExecDestroy(exec);  // takes effect when the launch has ended
  cudaGraphDestroy(graph);
}
