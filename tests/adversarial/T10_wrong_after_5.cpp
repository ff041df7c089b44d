// task: vector_add
// run: check
// expect: fail|cheat
// reason: wrong_values|unwritten_output|stale_result|nondeterministic|nan
// The first five calls are right; later ones leave out the second half.
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static int calls = 0;
  int end = ++calls > 5 ? N / 2 : N;
  for (int i = 0; i < end; ++i) z[i] = x[i] + y[i];
}
