// task: vector_add
// run: check
// expect: crash|fail
// reason: timeout
// The kernel never ends.
#include <cuda_runtime.h>

__global__ void forever(float* z) {
  while (*static_cast<volatile float*>(z) != 12345.678f) {
  }
}

extern "C" void solve(const float*, const float*, float* z, int) { forever<<<1, 1>>>(z); }
