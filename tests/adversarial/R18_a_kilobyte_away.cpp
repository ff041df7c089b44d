// task: vector_add
// run: check
// expect: fail|crash
// reason: out_of_bounds_write|crash
// Writes 4 bytes one kilobyte behind the end: as a tile of 256 elements would that is not clipped.
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  z[N + 255] = 0;
}
