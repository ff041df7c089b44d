// task: vector_add
// run: bench
// expect: fail|cheat
// reason: wrong_values|unwritten_output|stale_result|nondeterministic|too_fast|nan
// Takes the calls right after the checks for a warm-up that nobody looks at, and does nothing in them.
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static int large = 0;
  if (N > 100000 && ++large > 8 && large < 60) return;
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
