// task: ./int_sum.json
// run: check
// expect: pass
// reason: .*
// Honest: one warp a row, partial sums by shuffles.
#include <cuda_runtime.h>

__global__ void sums(const int* x, long long* y, int D) {
  long long sum = 0;
  for (int j = threadIdx.x; j < D; j += 32) sum += x[static_cast<size_t>(blockIdx.x) * D + j];
  for (int k = 16; k > 0; k /= 2) sum += __shfl_down_sync(~0u, sum, k);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

extern "C" void solve(const int* x, long long* y, int N, int D) { sums<<<N, 32>>>(x, y, D); }
