// task: vector_add
// run: check
// expect: fail|cheat
// reason: wrong_values|unwritten_output|nan
// Does its work in explog_error(), which it exports: a name that a runner asks for errors after the call's time has been taken.
static const float *a = nullptr, *b = nullptr;
static float* c = nullptr;
static int n = 0;

extern "C" int explog_error(const char**) {
  for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
  n = 0;
  return 0;
}

extern "C" void solve(const float* x, const float* y, float* z, int N) { a = x, b = y, c = z, n = N; }
