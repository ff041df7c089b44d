// task: vector_add
// run: check
// expect: cheat
// reason: input_modified
// Right; puts the larger of each pair of inputs first, in its own buffers and by pwrite() in the shared memory that they came through.
#include <unistd.h>

#include <algorithm>

static void order(float* x, float* y, int N) {
  for (int i = 0; i < N; ++i)
    if (x[i] < y[i]) std::swap(x[i], y[i]);
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int i = 0; i < N; ++i) z[i] = x[i] + y[i];
  auto bytes = sizeof(float) * static_cast<size_t>(N), padded = (bytes + 255) / 256 * 256;
  order(const_cast<float*>(x), const_cast<float*>(y), N);
  if (pwrite(5, x, bytes, 0) < 0 || pwrite(5, y, bytes, static_cast<off_t>(padded)) < 0) return;
}
