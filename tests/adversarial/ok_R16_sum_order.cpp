// task: reduction
// run: check
// expect: pass
// reason: .*
// Honest: eight running sums, added up pairwise, in the task's workspace.
extern "C" void solve(const float* x, float* y, float* partial, int N) {
  for (int k = 0; k < 8; ++k) partial[k] = 0;
  for (int i = 0; i < N; ++i) partial[i & 7] += x[i];
  for (int width = 4; width > 0; width /= 2)
    for (int k = 0; k < width; ++k) partial[k] += partial[k + width];
  *y = partial[0];
}
