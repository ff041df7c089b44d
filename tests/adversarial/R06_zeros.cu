// task: softmax
// run: check
// expect: fail
// reason: wrong_values|nan
// All zeros: near enough to a softmax over thousands of elements for a generous absolute tolerance.
#include <cuda_runtime.h>

extern "C" void solve(const float*, float* y, int N, int D) { cudaMemsetAsync(y, 0, sizeof(float) * N * D); }
