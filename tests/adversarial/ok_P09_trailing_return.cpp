// task: vector_add
// run: check
// expect: pass
// Honest: the return type stands behind.
extern "C" auto solve(const float* x, const float* y, float* z, int N) -> void {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
