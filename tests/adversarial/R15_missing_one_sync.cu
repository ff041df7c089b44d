// task: softmax
// run: check
// expect: fail
// reason: wrong_values|nondeterministic|nan|sanitizer
// Only one barrier is missing: the one between reading the maximum and writing the partial sums into the same
// array. Warps are held up by different lengths, so that the race shows now and then.
#include <cuda_runtime.h>

__global__ void rows(const float* x, float* y, int D) {
  __shared__ volatile float parts[1024];
  const float* in = x + static_cast<size_t>(blockIdx.x) * D;
  float* out = y + static_cast<size_t>(blockIdx.x) * D;
  float top = -INFINITY, sum = 0;
  for (int j = threadIdx.x; j < D; j += 1024) top = fmaxf(top, in[j]);
  parts[threadIdx.x] = top;
  __syncthreads();
  for (int k = 0; k < 1024; ++k) top = fmaxf(top, parts[k]);
  // __syncthreads() belongs here
  for (int j = threadIdx.x; j < D; j += 1024) sum += expf(in[j] - top);
  parts[threadIdx.x] = sum;
  __syncthreads();
  sum = 0;
  for (int k = 0; k < 1024; ++k) sum += parts[k];
  for (int j = threadIdx.x; j < D; j += 1024) out[j] = expf(in[j] - top) / sum;
}

extern "C" void solve(const float* x, float* y, int N, int D) { rows<<<N, 1024>>>(x, y, D); }
