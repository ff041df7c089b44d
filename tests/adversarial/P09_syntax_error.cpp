// task: vector_add
// run: check
// expect: fail|crash
// reason: compile_error
// Does not compile.
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i]
}
