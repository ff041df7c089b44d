// task: vector_add
// run: check
// expect: fail|cheat|crash
// reason: out_of_bounds_write|input_modified|crash
// Writes 4 bytes behind the first input.
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  const_cast<float*>(x)[N] = 0;
}
