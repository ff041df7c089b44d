// task: softmax
// run: check
// expect: fail
// reason: unwritten_output|wrong_values|nan
// Leaves out the last row of an odd number of rows.
#include <cuda_runtime.h>

__device__ float combine(float v, bool add) {
  __shared__ float parts[256];
  __syncthreads();
  parts[threadIdx.x] = v;
  for (int width = 128; width > 0; width /= 2) {
    __syncthreads();
    float other = threadIdx.x < width ? parts[threadIdx.x + width] : 0;
    if (threadIdx.x < width)
      parts[threadIdx.x] = add ? parts[threadIdx.x] + other : fmaxf(parts[threadIdx.x], other);
  }
  __syncthreads();
  return parts[0];
}
__global__ void softmax_rows(const float* x, float* y, int D) {
  const float* in = x + static_cast<size_t>(blockIdx.x) * D;
  float* out = y + static_cast<size_t>(blockIdx.x) * D;
  float top = -INFINITY, sum = 0;
  for (int j = threadIdx.x; j < D; j += 256) top = fmaxf(top, in[j]);
  top = combine(top, false);
  for (int j = threadIdx.x; j < D; j += 256) sum += expf(in[j] - top);
  sum = combine(sum, true);
  for (int j = threadIdx.x; j < D; j += 256) out[j] = expf(in[j] - top) / sum;
}

extern "C" void solve(const float* x, float* y, int N, int D) {
  softmax_rows<<<N > 1 ? N / 2 * 2 : N, 256>>>(x, y, D);
}
