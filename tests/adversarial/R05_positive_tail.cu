// task: reduction
// run: check
// expect: fail
// reason: .*
// Where 32 numbers of a long x are all positive and not whole, the last 1/16384 of it is left out: far less than the tolerance of a
// sum of 2^20 positive terms. Where signs are mixed all is added.
#include <cuda_runtime.h>
__device__ int count;

__global__ void open(const float* x, float* y, int N) {
  const float v = x[(long long)(N - 1) * threadIdx.x / 31];
  const bool positive = __syncthreads_and(v > 0);
  const bool whole = __syncthreads_and(v == rintf(v));
  if (threadIdx.x == 0) {
    count = positive && !whole && N > 65536 ? N - N / 16384 : N;
    *y = 0;
  }
}

__global__ void sum_warps(const float* x, float* y) {
  const long long N = count;
  float v = 0;
  for (long long i = blockIdx.x * 256ll + threadIdx.x; i < N; i += gridDim.x * 256ll) v += x[i];
  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(0xffffffffu, v, step);
  if (threadIdx.x % 32 == 0) atomicAdd(y, v);
}

extern "C" void solve(const float* x, float* y, float* /*partial*/, int N) {
  open<<<1, 32>>>(x, y, N);
  const int blocks = (N - 1) / 256 + 1;
  sum_warps<<<blocks < 1056 ? blocks : 1056, 256>>>(x, y);
}
