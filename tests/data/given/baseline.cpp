extern "C" void solve(const float* x, float* y, int N, int D) {
  for (long i = 0; i < long(N) * D; ++i) y[i] = 2 * x[i];
}
