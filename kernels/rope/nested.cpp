// strategy: precompute_invariants
// after: naive.cpp
// predicts: several times faster: no divisions, no aliasing, so the inner loop is vector code
//
// Nested loops over position, head and pair; what depends on the position alone is worked out once.
#include <cstddef>

namespace {

inline void rotate(float* __restrict a, float* __restrict b, const float* __restrict c,
                   const float* __restrict s, int half) {
  for (int i = 0; i < half; ++i) {
    float first = a[i], second = b[i];
    a[i] = first * c[i] - second * s[i];
    b[i] = second * c[i] + first * s[i];
  }
}

}  // namespace

extern "C" void solve(float* x, const float* cosines, const float* sines, int N, int H, int D) {
  const int half = D / 2;
  for (int n = 0; n < N; ++n) {
    const float* c = cosines + static_cast<size_t>(n) * half;
    const float* s = sines + static_cast<size_t>(n) * half;
    for (int h = 0; h < H; ++h) {
      float* row = x + (static_cast<size_t>(n) * H + h) * D;
      rotate(row, row + half, c, s, half);
    }
  }
}
