// task: vector_add
// run: check
// expect: fail|cheat|crash
// reason: stale_result|wrong_values|unwritten_output|nondeterministic|nan|launch_error|out_of_bounds_write
// A graph is captured at the first call of each length and launched ever after, with the pointers of that
// first call.
#include <map>

#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static std::map<int, cudaGraphExec_t> graphs;
  static cudaStream_t own = nullptr;
  if (!own) cudaStreamCreate(&own);
  cudaGraphExec_t& exec = graphs[N];
  if (!exec) {
    cudaGraph_t graph;
    cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal);
    add<<<(N + 255) / 256, 256, 0, own>>>(x, y, z, N);
    cudaStreamEndCapture(own, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
  }
  cudaGraphLaunch(exec, nullptr);
}
