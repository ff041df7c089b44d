// task: vector_add
// run: check
// expect: fail
// reason: wrong_values|nan|unwritten_output
// All bits set in all elements: the very pattern that a harness may poison outputs with.
#include <cstring>

extern "C" void solve(const float*, const float*, float* z, int N) {
  std::memset(z, 0xFF, sizeof(float) * N);
}
