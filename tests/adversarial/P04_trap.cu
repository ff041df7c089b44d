// task: vector_add
// run: check
// expect: crash|fail
// reason: launch_error|crash|sanitizer
// The kernel executes a trap.
#include <cuda_runtime.h>

__global__ void trap() { __trap(); }

extern "C" void solve(const float*, const float*, float*, int) { trap<<<1, 1>>>(); }
