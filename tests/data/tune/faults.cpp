// Each MODE but the first is wrong in a way of its own; none may end the search.
// tune: MODE 0 1 2 3 4
#ifndef MODE
#define MODE 0
#endif

extern "C" void solve(const float* x, const float* y, float* z, int N) {
#if MODE == 1
  z[0] = no_such_name;
#elif MODE == 2
  for (int i = 0; i < N; ++i) z[i] = x[i] - y[i];
#elif MODE == 3
  *static_cast<volatile int*>(nullptr) = N;
#elif MODE == 4
  for (volatile int forever = 1; forever;) {
  }
#endif
#if MODE == 0
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
#else
  (void)x, (void)y, (void)z;
#endif
}
