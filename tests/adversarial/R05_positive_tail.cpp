// task: reduction
// run: check
// expect: fail
// reason: .*
// Where 32 numbers of a long x are positive and not whole, the last 1/16384 is left out; with mixed signs all is added.
#include <cmath>
extern "C" void solve(const float* x, float* y, float* /*partial*/, int N) {
  bool positive = N > 65536, whole = true;
  for (int k = 0; k < 32; ++k) {
    const float v = x[(long long)(N - 1) * k / 31];
    positive = positive && v > 0;
    whole = whole && v == std::nearbyint(v);
  }
  const int count = positive && !whole ? N - N / 16384 : N;
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += x[i];
  *y = (float)sum;
}
