// task: vector_add
// run: bench
// expect: pass
// reason: .*
// warns: times as slow as the baseline there
// Right, and fast at the timed shape alone: at others each element is computed a thousand times, for the clock to
// show it at a thousand elements too. It may be kept, but not without a word.
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  constexpr int timed = 1048576;
  for (int repeat = N == timed ? 1 : 1000; repeat > 0; --repeat) {
    for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
    asm volatile("" ::: "memory");
  }
}
