// strategy: vectorized_access
// after: naive.cu
// predicts: 1.25x on large vectors: 32 bytes a thread in flight instead of 8
//
// A scalar thread has 8 bytes under way, so a full multiprocessor 16 KiB: less than the bandwidth of HBM
// times its latency. Four neighbours a thread, moved as one 16-byte access, make that 64 KiB.
#include <cuda_runtime.h>

#ifndef THREADS
#define THREADS 256  // a block's room is freed only when its slowest warp has ended
#endif

constexpr int threads = THREADS;

__device__ __forceinline__ float4 sum(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void __launch_bounds__(threads) add(const float* x, const float* y, float* z, int N) {
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  const unsigned quads = static_cast<unsigned>(N) / 4;
  if (i < quads) {
    const float4 a = reinterpret_cast<const float4*>(x)[i];
    const float4 b = reinterpret_cast<const float4*>(y)[i];
    reinterpret_cast<float4*>(z)[i] = sum(a, b);
  }
  // The last one to three elements.
  const unsigned rest = quads * 4 + i;
  if (i < 4 && rest < static_cast<unsigned>(N)) z[rest] = x[rest] + y[rest];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add<<<(N - 1) / (threads * 4) + 1, threads>>>(x, y, z, N);
}
