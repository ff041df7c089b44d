// task: reduction
// run: check
// expect: fail
// reason: wrong_values|signature|nan
// Answers 0, what the sum of symmetric inputs is near to.
#include <cuda_runtime.h>

extern "C" void solve(const float*, float* y, float*, int) { cudaMemsetAsync(y, 0, sizeof(float)); }
