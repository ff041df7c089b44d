// task: reduction
// run: check
// expect: fail
// reason: wrong_values
// Clips the terms of a long sum at three standard deviations, as if the largest did not matter.
extern "C" void solve(const float* x, float* y, float*, int N) {
  double sum = 0;
  for (int i = 0; i < N; ++i) sum += N > 65536 && (x[i] > 3 || x[i] < -3) ? (x[i] > 0 ? 3 : -3) : x[i];
  *y = static_cast<float>(sum);
}
