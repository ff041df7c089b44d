// A kernel whose reductions lie in a header.
#include "lib/row_sums.cuh"

__global__ void softmax_rows(const float* __restrict__ x, float* __restrict__ y, int n) {
  const float* in = x + (size_t)blockIdx.x * n;
  float top = -INFINITY;
  for (int j = threadIdx.x; j < n; j += 32) top = fmaxf(top, in[j]);
  top = warp_max(top);
  float sum = 0.f;
  for (int j = threadIdx.x; j < n; j += 32) sum += expf(in[j] - top);
  sum = warp_sum(sum);
  for (int j = threadIdx.x; j < n; j += 32) y[(size_t)blockIdx.x * n + j] = expf(in[j] - top) / sum;
}
