// strategy: vectorized_access
// after: grid_stride.cu
// predicts: 1.3-2x at 2^24 and 2^27, K = 256; less at K = 4, where 8 lanes a counter queue in shared memory
//
// 16 bytes a load. From here on shared atomics are the limit, two or three times what reading takes.
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

// The four bytes of a word, one after the other.
__device__ __forceinline__ void add_word(int* table, unsigned word) {
#pragma unroll
  for (int k = 0; k < 4; ++k) atomicAdd(&table[word >> (8 * k) & 255], 1);
}

__global__ void __launch_bounds__(threads) count(const unsigned char* __restrict__ x, int* y, int N) {
  __shared__ int table[bins];
  clear(table);
  __syncthreads();
  const uint4* x16 = reinterpret_cast<const uint4*>(x);
  const long long vectors = N / 16, stride = static_cast<long long>(gridDim.x) * threads;
  const long long me = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
  for (long long i = me; i < vectors; i += stride) {
    const uint4 v = x16[i];
    add_word(table, v.x);
    add_word(table, v.y);
    add_word(table, v.z);
    add_word(table, v.w);
  }
  if (me < N - vectors * 16) atomicAdd(&table[x[vectors * 16 + me]], 1);
  __syncthreads();
  merge(table, y);
}

extern "C" void solve(const unsigned char* x, int* y, int N) {
  const int wanted = (N - 1) / (threads * 16) + 1;
  const int blocks = wanted < most_blocks ? wanted : most_blocks;
  cudaMemsetAsync(y, 0, bins * sizeof(int));
  count<<<blocks, threads>>>(x, y, N);
}
