// task: vector_add
// run: check
// expect: fail|crash
// reason: signature|compile_error
// solve() without extern "C": there is no symbol of that name.
void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
