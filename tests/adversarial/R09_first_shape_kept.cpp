// task: vector_add
// run: check
// expect: fail|crash
// reason: unwritten_output|wrong_values|out_of_bounds_write|crash|nan
// The length of the first call is kept in a static variable and bounds every later call.
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static const int first = N;
  int end = first < N ? first : N;
  for (int i = 0; i < end; ++i) z[i] = x[i] + y[i];
}
