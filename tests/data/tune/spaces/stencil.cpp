// A convolution whose inside is done without asking for the borders, if INSIDE says so, COLUMNS outputs at a time.
// tune: INSIDE 0 1
// tune: COLUMNS 1 4 16
#ifndef INSIDE
#define INSIDE 0
#endif
#ifndef COLUMNS
#define COLUMNS 1
#endif
#include <algorithm>
#include <cstddef>

static float one(const float* x, const float* w, int H, int W, int F, int i, int j) {
  const int top = i - F / 2, left = j - F / 2;
  float sum = 0;
  for (int u = std::max(0, -top); u < std::min(F, H - top); ++u)
    for (int v = std::max(0, -left); v < std::min(F, W - left); ++v)
      sum += w[u * F + v] * x[static_cast<size_t>(top + u) * W + left + v];
  return sum;
}

extern "C" void solve(const float* x, const float* w, float* y, int H, int W, int F) {
  for (int i = 0; i < H; ++i) {
    int j = 0;
    float* out = y + static_cast<size_t>(i) * W;
    const bool inside = INSIDE && i >= F / 2 && i + F - F / 2 <= H;
    if (inside) {
      for (; j < F / 2 && j < W; ++j) out[j] = one(x, w, H, W, F, i, j);
      for (; j + COLUMNS + F - F / 2 <= W; j += COLUMNS) {
        float sums[COLUMNS] = {};
        for (int u = 0; u < F; ++u) {
          for (int v = 0; v < F; ++v) {
            const float* in = x + static_cast<size_t>(i + u - F / 2) * W + (j + v - F / 2);
            for (int c = 0; c < COLUMNS; ++c) sums[c] += w[u * F + v] * in[c];
          }
        }
        for (int c = 0; c < COLUMNS; ++c) out[j + c] = sums[c];
      }
    }
    for (; j < W; ++j) out[j] = one(x, w, H, W, F, i, j);
  }
}
