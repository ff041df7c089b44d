// Adds two vectors; SEED shuffles constants that are added to nothing, so that the machine code differs and the
// time does not.
// tune: SEED 1 2 3 4 5 6
#ifndef SEED
#define SEED 1
#endif

extern "C" {
int seed_of_this = SEED;

void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
}
