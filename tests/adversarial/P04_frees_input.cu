// task: vector_add
// run: check
// expect: crash|fail|cheat
// reason: launch_error|crash|input_modified|wrong_values|exit|unwritten_output|nan|sanitizer
// Right; frees the allocations that its inputs lie in.
#include <cuda.h>

#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuMemGetAddressRange", &entry, 12000, cudaEnableDefault, &found);
  auto range = reinterpret_cast<CUresult (*)(CUdeviceptr*, size_t*, CUdeviceptr)>(entry);
  for (const float* p : {x, y}) {
    CUdeviceptr base = 0;
    size_t size = 0;
    bool found_it = range && range(&base, &size, reinterpret_cast<CUdeviceptr>(p)) == CUDA_SUCCESS;
    if (found_it) cudaFree(reinterpret_cast<void*>(base));
  }
  cudaGetLastError();
}
