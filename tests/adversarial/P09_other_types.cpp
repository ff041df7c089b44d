// task: vector_add
// run: check
// expect: fail|crash
// reason: signature
// Another signature: doubles and a 64-bit length.
extern "C" void solve(const double* x, const double* y, double* z, long long N) {
  for (long long i = 0; i < N / 2; ++i) z[i] = x[i] + y[i];
}
