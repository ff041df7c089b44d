// y = a x, row by row.
extern "C" void solve(const float* x, float* y, int n, int D, float alpha) {
  for (int i = 0; i < n * D; ++i) y[i] = alpha * x[i];
}
