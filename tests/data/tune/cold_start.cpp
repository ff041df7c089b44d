// The first call of a process with WARM 1 takes a fifth of a second, those behind it an eighth of what WARM 0 takes: who
// counts first calls chooses the slower one.
// tune: WARM 0 1
#ifndef WARM
#define WARM 0
#endif
#include <ctime>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
#if WARM
  static bool begun = false;
  if (!begun) {
    timespec fifth = {0, 200000000};
    nanosleep(&fifth, nullptr);
    begun = true;
  }
#endif
  volatile float* out = z;
  for (int r = 0; r < (WARM ? 1 : 8); ++r) {
    for (int i = 0; i < N; ++i) out[i] = x[i] + y[i];
  }
}
