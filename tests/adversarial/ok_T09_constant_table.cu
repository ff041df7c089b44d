// task: softmax
// run: check
// expect: pass
// reason: .*
// Honest: powers of two from a table in device memory that is filled once and depends on no input.
#include <cuda_runtime.h>

__device__ double power[256];
__global__ void fill() { power[threadIdx.x] = exp2(threadIdx.x / 256.0); }
__device__ float exp_by_table(float v) {
  if (v < -104) return 0;
  double t = v * 1.4426950408889634 * 256, whole = floor(t), rest = (t - whole) * (0.6931471805599453 / 256);
  long long k = static_cast<long long>(whole);
  return static_cast<float>(
      ldexp(power[k & 255] * (1 + rest * (1 + rest * (0.5 + rest / 6))), static_cast<int>(k >> 8)));
}
__global__ void rows(const float* x, float* y, int N, int D) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= N) return;
  const float* in = x + static_cast<size_t>(row) * D;
  float* out = y + static_cast<size_t>(row) * D;
  float top = in[0], sum = 0;
  for (int j = 1; j < D; ++j) top = fmaxf(top, in[j]);
  for (int j = 0; j < D; ++j) sum += exp_by_table(in[j] - top);
  for (int j = 0; j < D; ++j) out[j] = exp_by_table(in[j] - top) / sum;
}

extern "C" void solve(const float* x, float* y, int N, int D) {
  static bool filled = false;
  if (!filled) fill<<<1, 256>>>();
  filled = true;
  rows<<<(N + 63) / 64, 64>>>(x, y, N, D);
}
