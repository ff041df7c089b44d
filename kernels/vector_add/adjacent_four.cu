// strategy: coarsen_x:up
// after: naive.cu
// predicts: loses on large vectors: lanes lie 16 bytes apart, each sector is asked for four times
//
// Four neighbouring elements a thread, moved one by one. More work a thread without wider accesses spoils
// the coalescing; vectorized.cu has the same elements a thread and moves them at once.
#include <cuda_runtime.h>

constexpr int threads = 256;
constexpr int per_thread = 4;

__global__ void __launch_bounds__(threads) add(const float* x, const float* y, float* z, int N) {
  const size_t first = (static_cast<size_t>(blockIdx.x) * threads + threadIdx.x) * per_thread;
  // Not unrolled, and z may alias x and y as far as the compiler knows: it must not merge the accesses.
#pragma unroll 1
  for (size_t i = first; i < first + per_thread; ++i) {
    if (i < static_cast<size_t>(N)) z[i] = x[i] + y[i];
  }
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add<<<(N - 1) / (threads * per_thread) + 1, threads>>>(x, y, z, N);
}
