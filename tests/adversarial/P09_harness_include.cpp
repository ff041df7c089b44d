// task: vector_add
// run: check
// expect: fail|crash
// reason: compile_error
// Right, but includes a source of the harness (the generator of its inputs), which must be out of its reach.
#include "../../kernels/harness/generate.h"

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
