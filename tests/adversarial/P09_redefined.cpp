// task: vector_add
// run: check
// expect: fail|crash|cheat
// reason: signature|wrong_values|unwritten_output|compile_error|nan
// The text shows the right signature; the preprocessor makes another function of it.
#include <cstring>

#define solve(...) solve(const float*, const float*, float* z, int N)
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  std::memset(z, 0, sizeof(float) * N);
}
