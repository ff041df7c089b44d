// One thread a row, three passes over global memory. Very long sums are taken in runs: with 64 K equal terms
// a plain one errs by 1e-3.
#include <cuda_runtime.h>

constexpr int run = 8192;

__global__ void softmax_rows(const float* x, float* y, int N, int D) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= N) return;
  const float* in = x + static_cast<size_t>(row) * D;
  float* out = y + static_cast<size_t>(row) * D;
  float top = in[0];
  for (int j = 1; j < D; ++j) top = fmaxf(top, in[j]);
  float sum = 0;
  for (int begin = 0; begin < D; begin += run) {
    float part = 0;
    for (int j = begin; j < D && j < begin + run; ++j) part += expf(in[j] - top);
    sum += part;
  }
  for (int j = 0; j < D; ++j) out[j] = expf(in[j] - top) / sum;
}

extern "C" void solve(const float* x, float* y, int N, int D) {
  softmax_rows<<<(N + 127) / 128, 128>>>(x, y, N, D);
}
