// task: vector_add
// run: check
// expect: crash|fail
// reason: launch_error|crash|sanitizer
// The kernel writes to an address that nobody has allocated; the context is unusable after it.
#include <cuda_runtime.h>

__global__ void stray(float* p) { *p = 1; }

extern "C" void solve(const float*, const float*, float*, int) {
  stray<<<1, 1>>>(reinterpret_cast<float*>(16));
}
