// task: vector_add
// run: check
// expect: fail|crash
// reason: signature|compile_error
// solve() is there in a comment and in a string only; what is exported has another name.
// extern "C" void solve(const float* x, const float* y, float* z, int N) {
/* extern "C" void solve(const float* x, const float* y, float* z, int N); */
extern const char* const text = "extern \"C\" void solve(const float* x, const float* y, float* z, int N)";

extern "C" void solution(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
