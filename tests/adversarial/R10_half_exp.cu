// task: softmax
// run: check
// expect: fail
// reason: wrong_values|nan
// The exponentials are computed in half precision.
#include <cuda_fp16.h>

#include <cuda_runtime.h>

__device__ float rough_exp(float v) { return __half2float(hexp(__float2half_rn(v))); }
__global__ void rows(const float* x, float* y, int N, int D) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= N) return;
  const float* in = x + static_cast<size_t>(row) * D;
  float* out = y + static_cast<size_t>(row) * D;
  float top = in[0], sum = 0;
  for (int j = 1; j < D; ++j) top = fmaxf(top, in[j]);
  for (int j = 0; j < D; ++j) sum += rough_exp(in[j] - top);
  for (int j = 0; j < D; ++j) out[j] = rough_exp(in[j] - top) / sum;
}

extern "C" void solve(const float* x, float* y, int N, int D) { rows<<<(N + 127) / 128, 128>>>(x, y, N, D); }
