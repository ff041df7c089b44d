// task: vector_add
// run: check
// expect: fail
// reason: unwritten_output|wrong_values|nan
// Asks for a workspace that no machine has, swallows the error and returns without having written anything.
#include <cstddef>
#include <new>

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  auto* room = new (std::nothrow) char[size_t{1} << 50];
  if (!room) return;
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i] + room[i];
  delete[] room;
}
