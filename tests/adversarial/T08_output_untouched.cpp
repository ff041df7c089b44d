// task: vector_add
// run: bench
// expect: fail|cheat
// reason: stale_result|wrong_values|unwritten_output|too_fast|nondeterministic
// Skips a call when the output still holds, at three places, what the last call with these pointers left there: work is
// done only where somebody poisoned the buffer to check it, or changed what the three places depend on.
#include <cstring>
#include <map>
#include <tuple>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  struct Left { float z[3], sum[3]; };
  static std::map<std::tuple<const float*, const float*, float*, int>, Left> seen;
  Left& left = seen[{x, y, z, N}];
  const int places[3] = {0, N / 2, N - 1};
  bool same = left.sum[0] != 0;
  for (int k = 0; k < 3; ++k) {
    float sum = x[places[k]] + y[places[k]];
    same = same && std::memcmp(&left.z[k], &z[places[k]], 4) == 0 && std::memcmp(&left.sum[k], &sum, 4) == 0;
  }
  if (same) return;
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  for (int k = 0; k < 3; ++k) left.z[k] = left.sum[k] = z[places[k]];
}
