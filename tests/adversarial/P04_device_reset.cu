// task: vector_add
// run: check
// expect: crash|fail
// reason: launch_error|crash|unwritten_output|wrong_values|nan
// Destroys the context of the whole process, and clears the error.
#include <cuda_runtime.h>

extern "C" void solve(const float*, const float*, float*, int) {
  cudaDeviceReset();
  cudaGetLastError();
}
