// task: rope
// run: check
// expect: fail
// reason: wrong_values|nondeterministic|nan
// In place with one kernel for each half of the pairs: the second reads what the first has overwritten.
#include <cuda_runtime.h>

__global__ void rotate(float* x, const float* cosines, const float* sines, size_t pairs, int H, int half,
                       bool second) {
  size_t pair = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (pair >= pairs) return;
  size_t head = pair / half, i = pair % half, at = head / H * half + i;
  float* row = x + head * 2 * half;
  float a = row[i], b = row[i + half];
  if (second)
    row[i + half] = b * cosines[at] + a * sines[at];
  else
    row[i] = a * cosines[at] - b * sines[at];
}

extern "C" void solve(float* x, const float* cosines, const float* sines, int N, int H, int D) {
  size_t pairs = static_cast<size_t>(N) * H * (D / 2);
  for (bool second : {false, true})
    rotate<<<(pairs + 255) / 256, 256>>>(x, cosines, sines, pairs, H, D / 2, second);
}
