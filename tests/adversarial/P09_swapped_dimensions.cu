// task: transpose
// run: check
// expect: fail|crash
// reason: wrong_values|signature|out_of_bounds_write|unwritten_output|crash|launch_error|nan
// Takes the columns for the rows, under names that say nothing to the task, which only a square matrix forgives.
#include <cuda_runtime.h>

__global__ void move(const float* x, float* y, int M, int N) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j < N) y[static_cast<size_t>(j) * M + i] = x[static_cast<size_t>(i) * N + j];
}

extern "C" void solve(const float* x, float* y, int columns, int rows) {
  move<<<dim3((columns + 255) / 256, rows), 256>>>(x, y, rows, columns);
}
