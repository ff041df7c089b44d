// task: vector_add
// run: bench
// expect: pass
// reason: .*
// Honest: gives its kernel all parameters in one buffer, as cuBLAS does.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

__global__ void add(const float* x, const float* y, float* z, int N) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static cudaFunction_t function = nullptr;
  static decltype(&cuLaunchKernel) launch = nullptr;
  if (!launch) {
    cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(add));
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuLaunchKernel", &entry, 12000, cudaEnableDefault, &found);
    launch = reinterpret_cast<decltype(launch)>(entry);
  }
  struct Parameters {
    const float *x, *y;
    float* z;
    int N;
  } parameters{x, y, z, N};
  size_t bytes = offsetof(Parameters, N) + sizeof N;  // without the padding that is no parameter
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &parameters, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  CUresult result = launch(function, (N + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, nullptr, extra);
  if (result != CUDA_SUCCESS) {
    std::fprintf(stderr, "launch: error %d\n", static_cast<int>(result));
    std::abort();
  }
}
