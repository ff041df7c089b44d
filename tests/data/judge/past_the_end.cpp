// Writes one element too many.
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  z[N] = 0;
}
