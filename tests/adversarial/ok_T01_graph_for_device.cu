// task: vector_add
// run: bench
// expect: pass
// reason: .*
// Honest: a graph that the device might start, too; the host does, with the pointers of each call.
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static cudaGraph_t graph;
  static cudaGraphNode_t node;
  static cudaGraphExec_t exec;
  void* arguments[] = {&x, &y, &z, &N};
  cudaKernelNodeParams p{};
  p.func = reinterpret_cast<void*>(add);
  p.gridDim = dim3((N + 255) / 256);
  p.blockDim = dim3(256);
  p.kernelParams = arguments;
  if (!exec) {
    cudaGraphCreate(&graph, 0);
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p);
    cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch);
    cudaGraphUpload(exec, nullptr);
  }
  cudaGraphExecKernelNodeSetParams(exec, node, &p);
  cudaGraphLaunch(exec, nullptr);
}
