// task: rope
// run: check
// expect: pass
// reason: .*
// Honest: an in-place task done through a copy of each head.
#include <cstddef>
#include <vector>

extern "C" void solve(float* x, const float* cosines, const float* sines, int N, int H, int D) {
  const size_t half = D / 2;
  std::vector<float> head(D);
  for (size_t k = 0; k < static_cast<size_t>(N) * H; ++k) {
    const float *c = cosines + k / H * half, *s = sines + k / H * half;
    float* row = x + k * D;
    head.assign(row, row + D);
    for (size_t i = 0; i < half; ++i) {
      row[i] = head[i] * c[i] - head[i + half] * s[i];
      row[i + half] = head[i + half] * c[i] + head[i] * s[i];
    }
  }
}
