// task: vector_add
// run: check
// expect: pass
// reason: .*
// Honest: the right solve() stands among others that a careless reader of signatures could take for it.
// extern "C" void solve(float* wrong, int count);
/* extern "C" void solve(double* x); */
namespace helper {
inline float solve(float a, float b) { return a + b; }
const char* text() { return "extern \"C\" void solve(int)"; }
}  // namespace helper

extern "C" void solve(float const* __restrict__ x, const float* __restrict__ y,  // inputs
                      float* __restrict__ z, const int N) {
  for (int i = 0; i < N; ++i) z[i] = helper::solve(x[i], y[i]);
}
