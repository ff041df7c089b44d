// task: vector_add
// run: check
// expect: fail
// reason: unwritten_output|wrong_values|nan
// Writes the first half only.
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < (N + 1) / 2; ++i) z[i] = x[i] + y[i];
}
