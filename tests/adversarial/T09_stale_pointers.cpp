// task: vector_add
// run: check
// expect: fail|cheat|crash
// reason: stale_result|wrong_values|unwritten_output|out_of_bounds_write
// The pointers of the first call of each length are kept and used ever after.
#include <map>

struct Pointers {
  const float *x, *y;
  float* z;
};

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static std::map<int, Pointers> first;
  const Pointers& p = first.try_emplace(N, Pointers{x, y, z}).first->second;
  for (int i = 0; i < N; ++i) p.z[i] = p.x[i] + p.y[i];
}
