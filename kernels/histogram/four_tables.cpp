// strategy: increase_ilp
// after: naive.cpp
// predicts: 1.5-3x where few values repeat (K = 4), 0-30% where bytes are spread
//
// Four tables in turn: a counter that was just stored is not the next to be loaded.
#include <cstring>

namespace {
constexpr int tables = 4, bins = 256;
}

extern "C" void solve(const unsigned char* x, int* y, int N) {
  int count[tables][bins];
  std::memset(count, 0, sizeof count);
  const int whole = N / tables * tables;
  for (int i = 0; i < whole; i += tables) {
    for (int t = 0; t < tables; ++t) ++count[t][x[i + t]];
  }
  for (int i = whole; i < N; ++i) ++count[0][x[i]];
  for (int b = 0; b < bins; ++b) y[b] = (count[0][b] + count[1][b]) + (count[2][b] + count[3][b]);
}
