// task: ./int_sum.json
// run: check
// expect: fail
// reason: wrong_values|nan
// Integer sums that are kept in a float and lose their last bits above 2^24.
#include <cstddef>

extern "C" void solve(const int* x, long long* y, int N, int D) {
  for (int row = 0; row < N; ++row) {
    float sum = 0;
    for (int j = 0; j < D; ++j) sum += static_cast<float>(x[static_cast<size_t>(row) * D + j]);
    y[row] = static_cast<long long>(sum);
  }
}
