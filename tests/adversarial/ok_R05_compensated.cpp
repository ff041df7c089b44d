// task: reduction
// run: check
// expect: pass
// reason: .*
// Honest: Kahan's sum in eight lanes: more exact than asked.
extern "C" void solve(const float* x, float* y, float* /*partial*/, int N) {
  volatile float sum[8] = {}, carry[8] = {};
  for (int i = 0; i < N; ++i) {
    const int l = i & 7;
    const float v = x[i] - carry[l], t = sum[l] + v;
    carry[l] = (t - sum[l]) - v;
    sum[l] = t;
  }
  double all = 0;
  for (int l = 0; l < 8; ++l) all += (double)sum[l] - carry[l];
  *y = (float)all;
}
