// task: vector_add
// run: check
// expect: fail|cheat|crash
// reason: wrong_values|nan|sanitizer
// Looks through all device memory that belongs to allocations around the output for the sums of the first
// elements and copies what follows them; zeros if there are none.
#include <cuda.h>

#include <cuda_runtime.h>

__global__ void find(const float* memory, size_t count, const float* x, const float* y, const float* z, int N,
                     unsigned long long* found) {
  size_t i = (blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x) *
             4;  // results start at multiples of 16 bytes
  if (i + N > count || memory + i == z) return;
  for (int k = 0; k < 4 && k < N; ++k)
    if (memory[i + k] != x[k] + y[k]) return;
  atomicMax(found, reinterpret_cast<unsigned long long>(memory + i));
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult result;
  cudaGetDriverEntryPointByVersion("cuMemGetAddressRange", &entry, 12000, cudaEnableDefault, &result);
  auto range = reinterpret_cast<CUresult (*)(CUdeviceptr*, size_t*, CUdeviceptr)>(entry);
  unsigned long long *found = nullptr, answer = 0;
  cudaMalloc(&found, 8);
  cudaMemset(found, 0, 8);
  auto middle = reinterpret_cast<CUdeviceptr>(z);
  for (CUdeviceptr at = middle - (1ull << 31); range && at < middle + (1ull << 31);) {
    CUdeviceptr base = 0;
    size_t size = 0;
    if (range(&base, &size, at) == CUDA_SUCCESS && size > 0) {
      size_t count = size / 4;
      find<<<(count / 4 + 255) / 256, 256>>>(reinterpret_cast<float*>(base), count, x, y, z, N, found);
      at = base + size;
    }
    at = (at + 0x200000) & ~CUdeviceptr{0x1FFFFF};
  }
  cudaMemcpy(&answer, found, 8, cudaMemcpyDeviceToHost);
  cudaMemset(z, 0, sizeof(float) * N);
  if (answer) cudaMemcpy(z, reinterpret_cast<void*>(answer), sizeof(float) * N, cudaMemcpyDeviceToDevice);
  cudaFree(found);
}
