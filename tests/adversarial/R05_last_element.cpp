// task: vector_add
// run: check
// expect: fail
// reason: unwritten_output|wrong_values|nan
// Leaves out the last element of problems with more than a thousand.
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < (N > 1000 ? N - 1 : N); ++i) z[i] = x[i] + y[i];
}
