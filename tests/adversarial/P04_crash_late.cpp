// task: vector_add
// run: bench
// expect: crash
// reason: crash
// Right for thirty calls of the large problem, then a segmentation fault in the middle of the timing.
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static int calls = 0;
  if (N >= 1 << 16 && ++calls > 30) *reinterpret_cast<volatile int*>(8) = 1;
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
