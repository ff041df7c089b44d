// Sums of all before: blocks of BLOCK are summed first if TWICE says so, which breaks the chain of additions.
// tune: TWICE 0 1
// tune: BLOCK 4 8 16
#ifndef TWICE
#define TWICE 0
#endif
#ifndef BLOCK
#define BLOCK 4
#endif

extern "C" void solve(const int* x, int* y, int* /*work*/, int N) {
  unsigned sum = 0;
  int i = 0;
#if TWICE
  for (; i + BLOCK <= N; i += BLOCK) {
    unsigned inner[BLOCK], run = 0;
    for (int k = 0; k < BLOCK; ++k) inner[k] = run += static_cast<unsigned>(x[i + k]);
    for (int k = 0; k < BLOCK; ++k) y[i + k] = static_cast<int>(sum + inner[k]);
    sum += run;
  }
#endif
  for (; i < N; ++i) y[i] = static_cast<int>(sum += static_cast<unsigned>(x[i]));
}
