#include <cuda_runtime.h>

template <typename T, int BLOCK_SIZE = 256>
__global__ void reduceSum(const T* __restrict__ data, T* result, size_t n) {
  __shared__ T cache[BLOCK_SIZE];
  T acc = 0;
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) acc += data[i];
  cache[threadIdx.x] = acc;
  __syncthreads();
  for (int s = BLOCK_SIZE / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) cache[threadIdx.x] += cache[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(result, cache[0]);
}

double run(const double* d, double* out, size_t n) {
  reduceSum<double><<<1024, 256>>>(d, out, n);
  return 0;
}
