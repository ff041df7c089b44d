// task: rope
// run: check
// expect: fail
// reason: wrong_values|nan
// In place, but the second half of each pair is computed from the first half that was just overwritten.
#include <cstddef>

extern "C" void solve(float* x, const float* cosines, const float* sines, int N, int H, int D) {
  const size_t half = D / 2;
  for (size_t head = 0; head < static_cast<size_t>(N) * H; ++head) {
    const float *c = cosines + head / H * half, *s = sines + head / H * half;
    float* row = x + head * D;
    for (size_t i = 0; i < half; ++i) {
      row[i] = row[i] * c[i] - row[i + half] * s[i];
      row[i + half] = row[i + half] * c[i] + row[i] * s[i];
    }
  }
}
