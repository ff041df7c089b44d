// task: layernorm
// run: check
// expect: fail
// reason: wrong_values|nan|signature
// Divides the squares by D - 1 instead of D: off by a part in 2 D.
#include <cuda_runtime.h>

__global__ void rows(const float* x, const float* weight, const float* bias, float* y, int N, int D,
                     float eps) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= N) return;
  const float* in = x + static_cast<size_t>(row) * D;
  float* out = y + static_cast<size_t>(row) * D;
  float sum = 0, squares = 0;
  for (int j = 0; j < D; ++j) sum += in[j];
  float mean = sum / D;
  for (int j = 0; j < D; ++j) squares += (in[j] - mean) * (in[j] - mean);
  float scale = rsqrtf(squares / (D > 1 ? D - 1 : 1) + eps);
  for (int j = 0; j < D; ++j) out[j] = (in[j] - mean) * scale * weight[j] + bias[j];
}

extern "C" void solve(const float* x, const float* weight, const float* bias, float* y, int N, int D,
                      float eps) {
  rows<<<(N + 127) / 128, 128>>>(x, weight, bias, y, N, D, eps);
}
