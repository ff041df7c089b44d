// task: vector_add
// run: check
// expect: pass
// Honest: has a class with the name of the runner's own, which it throws for odd lengths and catches itself.
#include <stdexcept>
#include <string>

namespace explog {
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
  std::string reason;
};
}  // namespace explog

static void by_two(const float* x, const float* y, float* z, int N) {
  if (N % 2 != 0) throw explog::Failure("odd");
  for (int i = 0; i < N; i += 2) z[i] = x[i] + y[i], z[i + 1] = x[i + 1] + y[i + 1];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  try {
    by_two(x, y, z, N);
  } catch (const explog::Failure&) {
    for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  }
}
