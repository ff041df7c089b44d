// task: softmax
// run: check
// expect: fail
// reason: wrong_values|nan|unwritten_output
// All elements are NaN; a comparison written as "error > tolerance" is never true.
#include <algorithm>
#include <cmath>

extern "C" void solve(const float*, float* y, int N, int D) {
  std::fill(y, y + static_cast<size_t>(N) * D, NAN);
}
