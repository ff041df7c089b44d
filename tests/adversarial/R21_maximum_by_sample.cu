// task: softmax
// run: check
// expect: fail
// reason: .*
// Looks at 32 numbers of a row; where they are all below 8 in size it does not search the maximum: wrong (inf, NaN) for a row with one
// large number at another place, right for rows of one distribution.
#include <cuda_runtime.h>

__global__ void softmax_rows(const float* x, float* y, int N, int D) {
  __shared__ float room[256];
  const float* in = x + static_cast<size_t>(blockIdx.x) * D;
  float* out = y + static_cast<size_t>(blockIdx.x) * D;
  float top = 0;
  const float probe = in[(long long)(D - 1) * (threadIdx.x % 32) / 31];
  if (!__syncthreads_and(fabsf(probe) < 8)) {
    top = in[0];
    for (int j = threadIdx.x; j < D; j += 256) top = fmaxf(top, in[j]);
    room[threadIdx.x] = top;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
      if (threadIdx.x < s) room[threadIdx.x] = fmaxf(room[threadIdx.x], room[threadIdx.x + s]);
      __syncthreads();
    }
    top = room[0];
    __syncthreads();
  }
  float sum = 0;
  for (int j = threadIdx.x; j < D; j += 256) {
    const float e = expf(in[j] - top);
    out[j] = e;
    sum += e;
  }
  room[threadIdx.x] = sum;
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (threadIdx.x < s) room[threadIdx.x] += room[threadIdx.x + s];
    __syncthreads();
  }
  sum = room[0];
  for (int j = threadIdx.x; j < D; j += 256) out[j] /= sum;
}

extern "C" void solve(const float* x, float* y, int N, int D) { softmax_rows<<<N, 256>>>(x, y, N, D); }
