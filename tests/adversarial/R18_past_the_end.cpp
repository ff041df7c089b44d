// task: vector_add
// run: check
// expect: fail|crash
// reason: out_of_bounds_write|crash
// Writes 4 bytes behind the output.
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  z[N] = 0;
}
