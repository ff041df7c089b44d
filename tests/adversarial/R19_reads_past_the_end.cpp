// task: vector_add
// run: check
// expect: fail|crash
// reason: nan|wrong_values|sanitizer|nondeterministic|crash
// Each element also gets its right neighbour times zero, the last one from behind the end: right unless that
// is NaN.
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i] + 0.0f * x[i + 1];
}
