// strategy: smem_privatization
// after: naive.cu
// predicts: 10x or more at K = 4; at K = 256 little (0.8-1.6x): 256 bytes fill some 160 bins, each still sent
//
// A table of counts a block, added to the global one at the end. A table pays when it takes many more values
// than it has bins; one value a thread is too few.
#include <cuda_runtime.h>

constexpr int bins = 256;
constexpr int threads = 256;

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
  const long long i = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
  if (i < N) atomicAdd(&table[x[i]], 1);
  __syncthreads();
  merge(table, y);
}

extern "C" void solve(const unsigned char* x, int* y, int N) {
  cudaMemsetAsync(y, 0, bins * sizeof(int));
  count<<<(N - 1) / threads + 1, threads>>>(x, y, N);
}
