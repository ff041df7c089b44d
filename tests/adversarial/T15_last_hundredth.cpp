// task: reduction
// run: check
// expect: fail
// reason: wrong_values
// Stops a fifth of a percent before the end of a long sum.
extern "C" void solve(const float* x, float* y, float*, int N) {
  float part[16] = {};
  int end = N > 65536 ? N - N / 500 : N;
  for (int i = 0; i < end; ++i) part[i % 16] += x[i];
  float sum = 0;
  for (float p : part) sum += p;
  *y = sum;
}
