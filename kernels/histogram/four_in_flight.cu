// strategy: increase_ilp
// after: vectorized.cu
// predicts: no change (within 3%) at any size: shared atomics are the limit, not loads waited for
//
// Four 16-byte loads before the first byte is counted.
#include <cuda_runtime.h>

constexpr int bins = 256;
constexpr int threads = 256;
constexpr int most_blocks = 1024;
constexpr int in_flight = 4;

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

__device__ __forceinline__ void add_vector(int* table, uint4 v) {
  add_word(table, v.x);
  add_word(table, v.y);
  add_word(table, v.z);
  add_word(table, v.w);
}

__global__ void __launch_bounds__(threads) count(const unsigned char* __restrict__ x, int* y, int N) {
  __shared__ int table[bins];
  clear(table);
  __syncthreads();
  const uint4* x16 = reinterpret_cast<const uint4*>(x);
  const long long vectors = N / 16, stride = static_cast<long long>(gridDim.x) * threads;
  const long long me = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
  long long i = me;
  for (; i + (in_flight - 1) * stride < vectors; i += in_flight * stride) {
    uint4 v[in_flight];
#pragma unroll
    for (int k = 0; k < in_flight; ++k) v[k] = x16[i + k * stride];
#pragma unroll
    for (int k = 0; k < in_flight; ++k) add_vector(table, v[k]);
  }
  for (; i < vectors; i += stride) add_vector(table, x16[i]);
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
