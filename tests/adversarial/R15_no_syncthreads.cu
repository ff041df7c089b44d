// task: softmax
// run: check
// expect: fail
// reason: wrong_values|nondeterministic|nan|sanitizer
// A tree in shared memory without any __syncthreads().
#include <cuda_runtime.h>

__device__ float combine(float v, bool add) {
  __shared__ volatile float parts[512];
  parts[threadIdx.x] = v;
  for (int width = 256; width > 0; width /= 2)
    if (threadIdx.x < width) {
      float other = parts[threadIdx.x + width];
      parts[threadIdx.x] = add ? parts[threadIdx.x] + other : fmaxf(parts[threadIdx.x], other);
    }
  return parts[0];
}
__global__ void rows(const float* x, float* y, int D) {
  const float* in = x + static_cast<size_t>(blockIdx.x) * D;
  float* out = y + static_cast<size_t>(blockIdx.x) * D;
  float top = -INFINITY, sum = 0;
  for (int j = threadIdx.x; j < D; j += 512) top = fmaxf(top, in[j]);
  top = combine(top, false);
  for (int j = threadIdx.x; j < D; j += 512) sum += expf(in[j] - top);
  sum = combine(sum, true);
  for (int j = threadIdx.x; j < D; j += 512) out[j] = expf(in[j] - top) / sum;
}

extern "C" void solve(const float* x, float* y, int N, int D) { rows<<<N, 512>>>(x, y, D); }
