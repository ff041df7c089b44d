// task: transpose
// run: check
// expect: fail
// reason: wrong_values|nan
// Writes every element once, but two tiles of 16 x 16 in each other's place: sums and extremes are right.
#include <cstddef>
#include <utility>

extern "C" void solve(const float* x, float* y, int M, int N) {
  auto at = [&](int i, int j) -> float& { return y[static_cast<size_t>(j) * M + i]; };
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) at(i, j) = x[static_cast<size_t>(i) * N + j];
  if (M < 48 || N < 48) return;
  for (int i = 16; i < 32; ++i)
    for (int j = 16; j < 32; ++j) std::swap(at(i, j), at(i + 16, j + 16));
}
