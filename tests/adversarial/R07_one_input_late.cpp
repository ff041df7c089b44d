// task: vector_add
// run: check
// expect: fail|cheat
// reason: input_modified
// Right, except that each call sets the last element of an input of more than a thousand to zero once it was
// used.
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  if (N > 1000) const_cast<float*>(y)[N - 1] = 0;
}
