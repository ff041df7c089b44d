// task: transpose
// run: check
// expect: fail
// reason: unwritten_output|wrong_values|nan
// Transposes by tiles of 16 x 16 and forgets the third one of the second row of tiles.
#include <cuda_runtime.h>

__global__ void tiles(const float* x, float* y, int M, int N) {
  if (blockIdx.x == 2 && blockIdx.y == 1) return;
  int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  if (i < M && j < N) y[static_cast<size_t>(j) * M + i] = x[static_cast<size_t>(i) * N + j];
}

extern "C" void solve(const float* x, float* y, int M, int N) {
  tiles<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(x, y, M, N);
}
