// task: vector_add
// run: check
// expect: fail|cheat
// reason: input_modified|wrong_values|nan
// Sets both inputs and the output to zero, so that a reference computed afterwards agrees.
#include <cstring>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  std::memset(const_cast<float*>(x), 0, sizeof(float) * N);
  std::memset(const_cast<float*>(y), 0, sizeof(float) * N);
  std::memset(z, 0, sizeof(float) * N);
}
