// strategy: block_size_choice
// after: vectorized.cu
// predicts: loses on large vectors: 32 blocks a multiprocessor are 1024 threads, not 2048
//
// Blocks of one warp. Nothing is shared within a block, so the small size has no use of its own.
#include <cuda_runtime.h>

constexpr int threads = 32;

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
