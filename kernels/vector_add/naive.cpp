// The interleaved loop of a GPU kernel taken over literally: "thread" t of 8 adds elements t, t + 8, t + 16,
// ...
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int t = 0; t < 8; ++t) {
    for (long long i = t; i < N; i += 8) z[i] = x[i] + y[i];
  }
}
