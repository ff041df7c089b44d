// task: softmax
// run: check
// expect: fail
// reason: wrong_values|nan
// The mean of a softmax, 1/D, everywhere; rows add up to 1.
#include <algorithm>
#include <cstddef>

extern "C" void solve(const float*, float* y, int N, int D) {
  std::fill(y, y + static_cast<size_t>(N) * D, 1.0f / static_cast<float>(D));
}
