// task: softmax
// run: check
// expect: fail
// reason: wrong_values|nan
// Softmax without subtracting the maximum: right until an exponential overflows.
#include <cuda_runtime.h>

__global__ void rows(const float* x, float* y, int N, int D) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= N) return;
  const float* in = x + static_cast<size_t>(row) * D;
  float* out = y + static_cast<size_t>(row) * D;
  float sum = 0;
  for (int j = 0; j < D; ++j) sum += expf(in[j]);
  for (int j = 0; j < D; ++j) out[j] = expf(in[j]) / sum;
}

extern "C" void solve(const float* x, float* y, int N, int D) { rows<<<(N + 127) / 128, 128>>>(x, y, N, D); }
