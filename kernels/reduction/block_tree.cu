// strategy: smem_privatization
// after: naive.cu
// predicts: 3-6x from 2^24 up: an eighth of the atomics on one address; not 8x, its nine barriers count
//
// Each block adds its 256 values in shared memory, a tree of halves with a barrier a level, and sends one
// atomic instead of eight.
#include <cuda_runtime.h>

constexpr int threads = 256;

// Valid in thread 0.
__device__ float block_sum(float v) {
  __shared__ float room[threads];
  const int t = threadIdx.x;
  room[t] = v;
  __syncthreads();
  for (int step = threads / 2; step > 0; step /= 2) {
    if (t < step) room[t] += room[t + step];
    __syncthreads();
  }
  return room[t];
}

__global__ void __launch_bounds__(threads) sum_blocks(const float* __restrict__ x, float* y, int N) {
  const long long i = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
  const float total = block_sum(i < N ? x[i] : 0.0f);
  if (threadIdx.x == 0) atomicAdd(y, total);
}

extern "C" void solve(const float* x, float* y, float* /*partial*/, int N) {
  cudaMemsetAsync(y, 0, sizeof(float));
  sum_blocks<<<(N - 1) / threads + 1, threads>>>(x, y, N);
}
