// strategy: grid_stride_loop
// after: block_table.cu
// predicts: 5x or more at 2^24 and 2^27, 2x at 2^20: 1024 tables are merged, not one for every 256 bytes
//
// At most 1024 blocks walk over the bytes. What remains is one byte a load, and shared atomics.
#include <cuda_runtime.h>

constexpr int bins = 256;
constexpr int threads = 256;
constexpr int most_blocks = 1024;

__device__ __forceinline__ void clear(int* table) {
  for (int b = threadIdx.x; b < bins; b += threads) table[b] = 0;
}

__device__ __forceinline__ void merge(const int* table, int* y) {
  for (int b = threadIdx.x; b < bins; b += threads) {
    if (table[b] != 0) atomicAdd(&y[b], table[b]);
  }
}

__global__ void __launch_bounds__(threads) count(const unsigned char* __restrict__ x, int* y, int N) {
  __shared__ int table[bins];
  clear(table);
  __syncthreads();
  const long long stride = static_cast<long long>(gridDim.x) * threads;
  for (long long i = static_cast<long long>(blockIdx.x) * threads + threadIdx.x; i < N; i += stride)
    atomicAdd(&table[x[i]], 1);
  __syncthreads();
  merge(table, y);
}

extern "C" void solve(const unsigned char* x, int* y, int N) {
  const int wanted = (N - 1) / threads + 1;
  const int blocks = wanted < most_blocks ? wanted : most_blocks;
  cudaMemsetAsync(y, 0, bins * sizeof(int));
  count<<<blocks, threads>>>(x, y, N);
}
