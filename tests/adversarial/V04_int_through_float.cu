// task: ./int_sum.json
// run: check
// expect: fail
// reason: wrong_values|nan
// Integer sums that are kept in a float and lose their last bits above 2^24.
#include <cuda_runtime.h>

__global__ void sums(const int* x, long long* y, int N, int D) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= N) return;
  float sum = 0;
  for (int j = 0; j < D; ++j) sum += static_cast<float>(x[static_cast<size_t>(row) * D + j]);
  y[row] = static_cast<long long>(sum);
}

extern "C" void solve(const int* x, long long* y, int N, int D) {
  sums<<<(N + 127) / 128, 128>>>(x, y, N, D);
}
