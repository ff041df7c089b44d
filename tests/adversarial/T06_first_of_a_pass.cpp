// task: vector_add
// run: bench
// expect: fail|cheat
// reason: wrong_values|unwritten_output|stale_result|nondeterministic|too_fast|nan
// Knows how passes run: counts the calls since its buffers changed order, and leaves out those early in a pass, whose outputs
// are gone before anybody could look.
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static const float* first = nullptr;
  static int calls = 0, large = 0;
  if (N < 100000) return [&] {
    for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  }();
  if (++large == 8) first = x;
  if (x == first) calls = 0;
  bool early = large > 20 && ++calls > 1;
  for (int i = 0; i < (early ? N / 2 : N); ++i) z[i] = x[i] + y[i];
}
