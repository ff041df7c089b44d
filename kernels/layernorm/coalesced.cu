// strategy: coalesce_global_access
// after: naive.cu
// predicts: 10x and more for D >= 1024: 4 sectors a load instead of 32; 2-5x at D = 128 (half idle)
//
// One block a row: neighbouring threads read neighbouring elements. Sums go through a tree in shared memory
// with a barrier a level, and the row is still read three times.
#include <cuda_runtime.h>

constexpr int threads = 256;

__device__ __forceinline__ float square(float v) { return v * v; }

// Valid in every thread; `room` may be used again at once.
__device__ float block_sum(float v, float* room) {
  const int t = threadIdx.x;
  room[t] = v;
  __syncthreads();
  for (int width = threads / 2; width > 0; width /= 2) {
    if (t < width) room[t] += room[t + width];
    __syncthreads();
  }
  const float all = room[0];
  __syncthreads();
  return all;
}

__global__ void __launch_bounds__(threads)
    layernorm_rows(const float* __restrict__ x, const float* __restrict__ weight,
                   const float* __restrict__ bias, float* __restrict__ y, int D, float eps) {
  __shared__ float room[threads];
  const float* in = x + static_cast<size_t>(blockIdx.x) * D;
  float* out = y + static_cast<size_t>(blockIdx.x) * D;
  float sum = 0;
  for (int j = threadIdx.x; j < D; j += threads) sum += in[j];
  const float mean = block_sum(sum, room) / D;
  float squares = 0;
  for (int j = threadIdx.x; j < D; j += threads) squares += square(in[j] - mean);
  const float scale = 1.0f / sqrtf(block_sum(squares, room) / D + eps);
  for (int j = threadIdx.x; j < D; j += threads) out[j] = (in[j] - mean) * scale * weight[j] + bias[j];
}

extern "C" void solve(const float* x, const float* weight, const float* bias, float* y, int N, int D,
                      float eps) {
  layernorm_rows<<<N, threads>>>(x, weight, bias, y, D, eps);
}
