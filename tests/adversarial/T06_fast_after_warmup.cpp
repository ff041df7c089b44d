// task: vector_add
// run: bench
// expect: fail|cheat
// reason: wrong_values|unwritten_output|stale_result|nondeterministic|too_fast|nan
// Honest for twenty calls of the large shape, then does three quarters of the work.
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static int large_calls = 0;
  bool lazy = N >= 1 << 18 && ++large_calls > 20;
  for (int i = 0; i < (lazy ? N / 4 * 3 : N); ++i) z[i] = x[i] + y[i];
}
