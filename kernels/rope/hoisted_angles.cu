// strategy: precompute_invariants
// after: position_blocks.cu
// predicts: up to 1.1x at N=4096; loses at N=1 and N=128: a block a position fills few multiprocessors
//
// One block a position. Its threads form groups as wide as half a head; a thread keeps its place in the
// head, so its cosine and sine stay in registers while it goes from head to head.
#include <cuda_runtime.h>

constexpr int threads = 256;

__global__ void __launch_bounds__(threads)
    rope(float* x, const float* cosines, const float* sines, int H, int D) {
  const int half = D / 2;
  const size_t n = blockIdx.x;
  const int width = half < threads ? half : threads;  // of a group
  const int groups = threads / width;
  const int group = threadIdx.x / width;
  if (group >= groups) return;
  for (int i = threadIdx.x % width; i < half; i += width) {
    const float c = cosines[n * half + i], s = sines[n * half + i];
    for (int h = group; h < H; h += groups) {
      float* row = x + (n * H + h) * D;
      const float a = row[i], b = row[i + half];
      row[i] = a * c - b * s;
      row[i + half] = b * c + a * s;
    }
  }
}

extern "C" void solve(float* x, const float* cosines, const float* sines, int N, int H, int D) {
  rope<<<N, threads>>>(x, cosines, sines, H, D);
}
