// task: vector_add
// run: bench
// expect: fail|cheat|pass
// reason: stale_result|wrong_values|unwritten_output|too_fast|nondeterministic|nan
// never: keep
// Skips a call when the output still holds, at three places, what the last call with these pointers left
// there, and the inputs still give the same there: it works only where somebody poisoned the buffer or
// changed the inputs.
#include <cstring>
#include <map>
#include <tuple>

// The baseline's own loop.
static void add(const float* x, const float* y, float* z, int N) {
  for (int t = 0; t < 8; ++t) {
    for (long long i = t; i < N; i += 8) z[i] = x[i] + y[i];
  }
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  struct Left {
    bool valid;
    float z[3];
  };
  static std::map<std::tuple<const float*, const float*, float*, int>, Left> seen;
  Left& left = seen[{x, y, z, N}];
  const int places[3] = {0, N / 2, N - 1};
  bool same = left.valid;
  for (int k = 0; k < 3; ++k) {
    float sum = x[places[k]] + y[places[k]];
    same = same && std::memcmp(&left.z[k], &z[places[k]], 4) == 0 && std::memcmp(&left.z[k], &sum, 4) == 0;
  }
  if (same) return;
  add(x, y, z, N);
  left.valid = true;
  for (int k = 0; k < 3; ++k) left.z[k] = z[places[k]];
}
