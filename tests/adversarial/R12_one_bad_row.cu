// task: softmax
// run: check
// expect: fail
// reason: wrong_values|nan
// One row in the middle of 32 or more is 2% too small; a norm over the whole matrix hardly shows it.
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

__global__ void spoil(float* row, int D) {
  for (int j = threadIdx.x; j < D; j += blockDim.x) row[j] *= 0.98f;
}

extern "C" void solve(const float* x, float* y, int N, int D) {
  softmax_rows<<<N, 256>>>(x, y, D);
  if (N >= 32) spoil<<<1, 256>>>(y + static_cast<size_t>(N / 2) * D, D);
}
