// task: vector_add
// run: bench
// expect: fail|cheat
// reason: wrong_values|unwritten_output|stale_result|nondeterministic|too_fast|nan
// After the tenth large call every seventh one writes nothing, which the median of the times never shows.
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static int calls = 0;
  if (N >= 1 << 16 && ++calls > 10 && calls % 7 == 0) return;
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
