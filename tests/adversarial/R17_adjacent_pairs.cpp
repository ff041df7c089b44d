// task: rope
// run: check
// expect: fail
// reason: wrong_values|nan
// Rotates neighbours (2i, 2i + 1), the other convention, instead of (i, i + D/2): the same for D = 2 only.
#include <cstddef>

extern "C" void solve(float* x, const float* cosines, const float* sines, int N, int H, int D) {
  const size_t half = D / 2;
  for (size_t head = 0; head < static_cast<size_t>(N) * H; ++head) {
    const float *c = cosines + head / H * half, *s = sines + head / H * half;
    float* row = x + head * D;
    for (size_t i = 0; i < half; ++i) {
      float a = row[2 * i], b = row[2 * i + 1];
      row[2 * i] = a * c[i] - b * s[i];
      row[2 * i + 1] = b * c[i] + a * s[i];
    }
  }
}
