// task: vector_add
// run: check
// expect: pass
// Honest: a function called explog_error() of its own, which nobody but itself has a use for.
extern "C" int explog_error(const char** text) {
  *text = "never asked for";
  return 1;
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
