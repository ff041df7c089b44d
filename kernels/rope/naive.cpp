// One flat loop over the pairs; the divisions that find its place keep the compiler from vectorising it.
#include <cstddef>

extern "C" void solve(float* x, const float* cosines, const float* sines, int N, int H, int D) {
  const size_t half = D / 2, heads = H;
  for (size_t pair = 0; pair < N * heads * half; ++pair) {
    size_t head = pair / half, i = pair % half, n = head / heads;
    float c = cosines[n * half + i], s = sines[n * half + i];
    float* row = x + head * D;
    float a = row[i], b = row[i + half];
    row[i] = a * c - b * s;
    row[i + half] = b * c + a * s;
  }
}
