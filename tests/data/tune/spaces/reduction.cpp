// A sum in LANES sums side by side, each a chain of additions.
// tune: LANES 1 2 4 8 16 32
#ifndef LANES
#define LANES 1
#endif

extern "C" void solve(const float* x, float* y, float* /*partial*/, int N) {
  float sums[LANES] = {};
  int i = 0;
  for (; i + LANES <= N; i += LANES) {
    for (int lane = 0; lane < LANES; ++lane) sums[lane] += x[i + lane];
  }
  double sum = 0;
  for (int lane = 0; lane < LANES; ++lane) sum += sums[lane];
  for (; i < N; ++i) sum += x[i];
  *y = static_cast<float>(sum);
}
