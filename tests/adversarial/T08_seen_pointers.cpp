// task: vector_add
// run: bench
// expect: fail|cheat
// reason: stale_result|wrong_values|unwritten_output|too_fast|nondeterministic|nan
// Remembers every set of pointers it has served; serves each only once, however the sets are rotated.
#include <set>
#include <tuple>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static std::set<std::tuple<const float*, const float*, float*, int>> served;
  if (!served.insert({x, y, z, N}).second) return;
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
