// task: ./int_sum.json
// run: check
// expect: fail
// reason: wrong_values|nan
// Integer sums; one too many where the sum is above 2^24, which a comparison in float cannot see.
#include <cuda_runtime.h>

__global__ void sums(const int* x, long long* y, int N, int D) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= N) return;
  long long sum = 0;
  for (int j = 0; j < D; ++j) sum += x[static_cast<size_t>(row) * D + j];
  y[row] = sum > 1 << 24 || sum < -(1 << 24) ? sum + 1 : sum;
}

extern "C" void solve(const int* x, long long* y, int N, int D) {
  sums<<<(N + 127) / 128, 128>>>(x, y, N, D);
}
