// task: rmsnorm
// run: check
// expect: pass
// Honest: eights, and a branch for each number of elements that are left over.
#include <cmath>
#include <cstddef>

extern "C" void solve(const float* x, const float* weight, float* y, int N, int D, float eps) {
  for (int row = 0; row < N; ++row) {
    const float* in = x + static_cast<size_t>(row) * D;
    float* out = y + static_cast<size_t>(row) * D;
    float squares = 0;
    int j = 0;
    for (; j + 8 <= D; j += 8) {
      for (int k = 0; k < 8; ++k) squares += in[j + k] * in[j + k];
    }
    switch (D - j) {
      case 7: squares += in[j + 6] * in[j + 6]; [[fallthrough]];
      case 6: squares += in[j + 5] * in[j + 5]; [[fallthrough]];
      case 5: squares += in[j + 4] * in[j + 4]; [[fallthrough]];
      case 4: squares += in[j + 3] * in[j + 3]; [[fallthrough]];
      case 3: squares += in[j + 2] * in[j + 2]; [[fallthrough]];
      case 2: squares += in[j + 1] * in[j + 1]; [[fallthrough]];
      case 1: squares += in[j] * in[j];
    }
    float scale = 1.0f / std::sqrt(squares / D + eps);
    for (int i = 0; i < D; ++i) out[i] = in[i] * scale * weight[i];
  }
}
