// Adds two vectors as often as REPEATS says: every repetition but the first is waste, so that the best
// configuration is known beforehand. LABEL changes nothing.
// tune: REPEATS 1 8 16
// tune: LABEL 1 2
// tune where: REPEATS < 16 OR LABEL = 1
#ifndef REPEATS
#define REPEATS 8
#endif
#ifndef LABEL
#define LABEL 1
#endif

static_assert(LABEL > 0, "used in no instruction");

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  volatile float* out = z;
  for (int r = 0; r < REPEATS; ++r) {
    for (int i = 0; i < N; ++i) out[i] = x[i] + y[i];
  }
}
