// Tuned elsewhere with other knobs besides: what was best there is measured first here.
#ifndef MODE
#define MODE 4
#endif
// tune: MODE 0 2 4
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = MODE == 0 ? y[i] + x[i] : x[i] + y[i];
}
