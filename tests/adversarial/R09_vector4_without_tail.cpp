// task: vector_add
// run: check
// expect: fail
// reason: unwritten_output|wrong_values|nan
// Four at a time; what is left of a length that is no multiple of four is forgotten.
extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i + 4 <= N; i += 4)
    for (int k = 0; k < 4; ++k) z[i + k] = x[i + k] + y[i + k];
}
