// task: vector_add
// run: bench
// expect: pass
// reason: .*
// Honest: a graph of one kernel for each length, made once; each call gives it the pointers of that call and
// launches it.
#include <map>

#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

struct Graph {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphExec_t exec;
};

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static std::map<int, Graph> graphs;
  void* arguments[] = {&x, &y, &z, &N};
  cudaKernelNodeParams p{};
  p.func = reinterpret_cast<void*>(add);
  p.gridDim = dim3((N + 255) / 256);
  p.blockDim = dim3(256);
  p.kernelParams = arguments;
  Graph& g = graphs[N];
  if (!g.exec) {
    cudaGraphCreate(&g.graph, 0);
    cudaGraphAddKernelNode(&g.node, g.graph, nullptr, 0, &p);
    cudaGraphInstantiate(&g.exec, g.graph, 0);
  }
  cudaGraphExecKernelNodeSetParams(g.exec, g.node, &p);
  cudaGraphLaunch(g.exec, nullptr);
}
