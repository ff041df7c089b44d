// One thread a row, two passes over global memory. Very long sums are taken in runs: with 64 K equal terms a
// plain one errs by 1e-3.
#include <cuda_runtime.h>

constexpr int run = 8192;

__global__ void cross_entropy(const float* x, const int* target, float* loss, int N, int V) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= N) return;
  const float* in = x + static_cast<size_t>(row) * V;
  float top = in[0];
  for (int j = 1; j < V; ++j) top = fmaxf(top, in[j]);
  float sum = 0;
  for (int begin = 0; begin < V; begin += run) {
    float part = 0;
    for (int j = begin; j < V && j < begin + run; ++j) part += expf(in[j] - top);
    sum += part;
  }
  loss[row] = logf(sum) + (top - in[target[row]]);
}

extern "C" void solve(const float* x, const int* target, float* loss, int N, int V) {
  cross_entropy<<<(N + 127) / 128, 128>>>(x, target, loss, N, V);
}
