// strategy: block_size_choice
// after: vectorized.cu
// predicts: no gain; loses at 65536, where 16 blocks reach only 16 of 132 multiprocessors
//
// Blocks of 1024 threads instead of 256. Fewer blocks to schedule, but a block's room is freed only when its
// slowest warp has ended, so the last wave drains worse.
#include <cuda_runtime.h>

constexpr int threads = 1024;

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
