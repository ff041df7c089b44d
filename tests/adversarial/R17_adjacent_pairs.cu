// task: rope
// run: check
// expect: fail
// reason: wrong_values|nan
// Rotates neighbours (2i, 2i + 1), the other convention, instead of (i, i + D/2): the same for D = 2 only.
#include <cuda_runtime.h>

__global__ void rotate(float* x, const float* cosines, const float* sines, size_t pairs, int H, int half) {
  size_t pair = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (pair >= pairs) return;
  size_t at = pair / half / H * half + pair % half;
  float a = x[2 * pair], b = x[2 * pair + 1];
  x[2 * pair] = a * cosines[at] - b * sines[at];
  x[2 * pair + 1] = b * cosines[at] + a * sines[at];
}

extern "C" void solve(float* x, const float* cosines, const float* sines, int N, int H, int D) {
  size_t pairs = static_cast<size_t>(N) * H * (D / 2);
  rotate<<<(pairs + 255) / 256, 256>>>(x, cosines, sines, pairs, H, D / 2);
}
