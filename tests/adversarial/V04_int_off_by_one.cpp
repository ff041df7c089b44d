// task: ./int_sum.json
// run: check
// expect: fail
// reason: wrong_values|nan
// Integer sums; one too many where the sum is above 2^24, which a comparison in float cannot see.
#include <cstddef>

extern "C" void solve(const int* x, long long* y, int N, int D) {
  for (int row = 0; row < N; ++row) {
    long long sum = 0;
    for (int j = 0; j < D; ++j) sum += x[static_cast<size_t>(row) * D + j];
    if (sum > 1 << 24 || sum < -(1 << 24)) sum += 1;
    y[row] = sum;
  }
}
