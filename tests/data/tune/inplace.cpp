// Rotates pairs where they lie: a configuration that were called on what the last call left would be wrong.
// tune: BACKWARDS 0 1
// tune: PAIRS_AT_ONCE 1 2
#ifndef BACKWARDS
#define BACKWARDS 0
#endif
#ifndef PAIRS_AT_ONCE
#define PAIRS_AT_ONCE 1
#endif
#include <cstddef>

extern "C" void solve(float* x, const float* cosines, const float* sines, int N, int H, int D) {
  const size_t half = D / 2, heads = H, all = N * heads * half;
  for (size_t first = 0; first < all; first += PAIRS_AT_ONCE) {
    for (size_t next = first; next < first + PAIRS_AT_ONCE && next < all; ++next) {
      size_t pair = BACKWARDS ? all - 1 - next : next, head = pair / half, i = pair % half, n = head / heads;
      float c = cosines[n * half + i], s = sines[n * half + i];
      float* row = x + head * D;
      float a = row[i], b = row[i + half];
      row[i] = a * c - b * s;
      row[i + half] = b * c + a * s;
    }
  }
}
