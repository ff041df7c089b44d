// task: vector_add
// run: bench
// expect: fail|cheat
// reason: wrong_values|unwritten_output|stale_result|nondeterministic|too_fast|nan
// The first fifty calls of a large problem are right; later ones fill the second half with a copy of x.
#include <cstring>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static int calls = 0;
  int end = N >= 1 << 16 && ++calls > 50 ? N / 2 : N;
  for (int i = 0; i < end; ++i) z[i] = x[i] + y[i];
  std::memcpy(z + end, x + end, static_cast<size_t>(N - end) * 4);
}
