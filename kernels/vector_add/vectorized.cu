// Strategy vectorized_access: 16-byte loads and stores, two of each a thread. A scalar thread keeps 8 bytes
// in flight, too few to cover the latency of HBM at full bandwidth; here it is 64.
#include <cuda_runtime.h>

constexpr int threads = 256;
constexpr int per_thread = 2;  // float4s

__device__ __forceinline__ float4 sum(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void __launch_bounds__(threads)
    add(const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ z, int N) {
  const int quads = N / 4;
  const float4* x4 = reinterpret_cast<const float4*>(x);
  const float4* y4 = reinterpret_cast<const float4*>(y);
  float4* z4 = reinterpret_cast<float4*>(z);
  const int first = blockIdx.x * (threads * per_thread) + threadIdx.x;  // at most N / 4 + a block: fits
  float4 a[per_thread], b[per_thread];
#pragma unroll
  for (int k = 0; k < per_thread; ++k) {
    int i = first + k * threads;
    if (i < quads) {
      a[k] = __ldcs(x4 + i);
      b[k] = __ldcs(y4 + i);
    }
  }
#pragma unroll
  for (int k = 0; k < per_thread; ++k) {
    int i = first + k * threads;
    if (i < quads) __stcs(z4 + i, sum(a[k], b[k]));
  }
  // The last one to three elements.
  const int rest = quads * 4;
  if (blockIdx.x == 0 && threadIdx.x < N - rest) {
    int i = rest + threadIdx.x;
    z[i] = x[i] + y[i];
  }
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  const int chunk = threads * per_thread * 4;
  add<<<(N - 1) / chunk + 1, threads>>>(x, y, z, N);
}
