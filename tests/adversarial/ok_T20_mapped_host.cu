// task: vector_add
// run: bench
// expect: pass
// reason: .*
// Honest: blocks look up where their part begins in a table that lies in the host's memory and is mapped. It is written once
// for each length.
#include <map>

#include <cuda_runtime.h>

constexpr int parts = 1024;

__global__ void add(const float* x, const float* y, float* z, const int* begins) {
  for (int i = begins[blockIdx.x] + threadIdx.x; i < begins[blockIdx.x + 1]; i += blockDim.x) z[i] = x[i] + y[i];
}

int* table_of(int N) {
  int *host = nullptr, *device = nullptr;
  cudaHostAlloc(&host, (parts + 1) * sizeof(int), cudaHostAllocMapped);
  for (int i = 0; i <= parts; ++i) host[i] = static_cast<int>(static_cast<long long>(N) * i / parts);
  cudaHostGetDevicePointer(&device, host, 0);
  return device;
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static std::map<int, int*> tables;
  int*& table = tables[N];
  if (!table) table = table_of(N);
  add<<<parts, 256>>>(x, y, z, table);
}
