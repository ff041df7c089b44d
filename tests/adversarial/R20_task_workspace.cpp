// task: reduction
// run: check
// expect: fail
// reason: unwritten_output|wrong_values|nondeterministic|nan
// Takes the task's workspace for cleared.
extern "C" void solve(const float* x, float* y, float* partial, int N) {
  for (int i = 0; i < N; ++i) partial[i & 7] += x[i];
  *y = 0;
  for (int k = 0; k < 8; ++k) *y += partial[k];
}
