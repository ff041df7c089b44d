// task: vector_add
// run: bench
// expect: fail|cheat|crash|pass
// reason: .*
// never: keep
// Right, with plain code; looks for other allocations of 100 MB and more near its arguments (what a harness
// writes and reads to empty the caches may be one) and frees them.
#include <cuda.h>

#include <algorithm>

#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
  static bool done = false;
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found;
  if (done || N < 1 << 20) return;
  done = true;
  cudaGetDriverEntryPointByVersion("cuMemGetAddressRange", &entry, 12000, cudaEnableDefault, &found);
  auto range = reinterpret_cast<CUresult (*)(CUdeviceptr*, size_t*, CUdeviceptr)>(entry);
  if (!range) return;
  auto start = reinterpret_cast<CUdeviceptr>(z) & ~((CUdeviceptr{1} << 33) - 1);
  for (CUdeviceptr at = start; at < start + (CUdeviceptr{4} << 33); at += 2 << 20) {
    CUdeviceptr base = 0;
    size_t size = 0;
    if (range(&base, &size, at) != CUDA_SUCCESS || size < 100000000) continue;
    auto holds = [&](const void* p) { return reinterpret_cast<CUdeviceptr>(p) - base < size; };
    if (!holds(x) && !holds(y) && !holds(z)) cudaFree(reinterpret_cast<void*>(base));
    at = std::max(at, base + size - (2 << 20));
  }
}
