// task: vector_add
// run: bench
// expect: pass
// reason: .*
// Honest: as many blocks as fit take chunks from a counter, which each call sets back.
#include <cuda_runtime.h>

__device__ int next_chunk;
__global__ void add(const float* x, const float* y, float* z, int N) {
  __shared__ int chunk;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) chunk = atomicAdd(&next_chunk, 1);
    __syncthreads();
    long long begin = chunk * 4096ll;
    if (begin >= N) return;
    for (long long i = begin + threadIdx.x; i < N && i < begin + 4096; i += blockDim.x) z[i] = x[i] + y[i];
  }
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static int blocks = 0;
  static void* counter = nullptr;
  if (!blocks) {
    cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0);
    cudaGetSymbolAddress(&counter, next_chunk);
  }
  cudaMemsetAsync(counter, 0, sizeof(int));
  add<<<blocks * 4, 256>>>(x, y, z, N);
}
