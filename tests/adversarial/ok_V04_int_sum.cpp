// task: ./int_sum.json
// run: check
// expect: pass
// reason: .*
// Honest: the sums of integers in four parts.
#include <cstddef>

extern "C" void solve(const int* x, long long* y, int N, int D) {
  for (int row = 0; row < N; ++row) {
    long long sum[4] = {};
    for (int j = 0; j < D; ++j) sum[j & 3] += x[static_cast<size_t>(row) * D + j];
    y[row] = sum[0] + sum[1] + sum[2] + sum[3];
  }
}
