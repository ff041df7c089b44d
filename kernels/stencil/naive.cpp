// Every pixel asks every tap whether it falls inside the image.
#include <cstddef>

extern "C" void solve(const float* x, const float* w, float* y, int H, int W, int F) {
  for (int i = 0; i < H; ++i) {
    for (int j = 0; j < W; ++j) {
      float sum = 0;
      for (int u = 0; u < F; ++u) {
        for (int v = 0; v < F; ++v) {
          const int row = i + u - F / 2, column = j + v - F / 2;
          if (row < 0 || row >= H || column < 0 || column >= W) continue;
          sum += w[u * F + v] * x[static_cast<size_t>(row) * W + column];
        }
      }
      y[static_cast<size_t>(i) * W + j] = sum;
    }
  }
}
