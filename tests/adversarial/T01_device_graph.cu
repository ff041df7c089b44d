// task: vector_add
// run: bench
// expect: fail|cheat
// reason: work_escaped
// Right: a graph of one thread starts, from the device, a second graph that does the work.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

__global__ void start(cudaGraphExec_t work) { cudaGraphLaunch(work, cudaStreamGraphTailLaunch); }

cudaGraphExec_t graph_of(void* kernel, dim3 grid, dim3 block, void** arguments) {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphExec_t exec;
  cudaKernelNodeParams p{};
  p.func = kernel;
  p.gridDim = grid;
  p.blockDim = block;
  p.kernelParams = arguments;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p);
  cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch);
  cudaGraphUpload(exec, nullptr);
  cudaGraphDestroy(graph);
  return exec;
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static cudaGraphExec_t work, starter;
  if (work) cudaDeviceSynchronize(), cudaGraphExecDestroy(work), cudaGraphExecDestroy(starter);
  void* arguments[] = {&x, &y, &z, &N};
  work = graph_of(reinterpret_cast<void*>(add), dim3((N + 255) / 256), dim3(256), arguments);
  void* second[] = {&work};
  starter = graph_of(reinterpret_cast<void*>(start), dim3(1), dim3(1), second);
  cudaGraphLaunch(starter, nullptr);
}
