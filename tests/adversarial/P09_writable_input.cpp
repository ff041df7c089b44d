// task: vector_add
// run: check
// expect: fail|pass
// reason: signature
// Right, but declares an input without const: a harness may refuse it, or pass it since nothing is written.
extern "C" void solve(float* x, float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
