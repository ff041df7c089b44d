// task: softmax
// run: check
// expect: pass
// reason: .*
// Honest: one pass keeps a running maximum and rescales the sum, so terms are rounded otherwise than in three
// passes.
#include <cuda_runtime.h>

__global__ void rows(const float* x, float* y, int N, int D) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= N) return;
  const float* in = x + static_cast<size_t>(row) * D;
  float* out = y + static_cast<size_t>(row) * D;
  float top = in[0], sum = 1;
  for (int j = 1; j < D; ++j) {
    float higher = fmaxf(top, in[j]);
    sum = sum * expf(top - higher) + expf(in[j] - higher);
    top = higher;
  }
  for (int j = 0; j < D; ++j) out[j] = expf(in[j] - top) / sum;
}

extern "C" void solve(const float* x, float* y, int N, int D) { rows<<<(N + 63) / 64, 64>>>(x, y, N, D); }
