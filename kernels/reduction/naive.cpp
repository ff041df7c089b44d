// One running sum: each addition waits for the one before.
extern "C" void solve(const float* x, float* y, float* /*partial*/, int N) {
  float sum = 0;
  for (int i = 0; i < N; ++i) sum += x[i];
  *y = sum;
}
