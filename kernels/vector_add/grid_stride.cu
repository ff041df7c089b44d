// strategy: grid_stride_loop
// after: vectorized.cu
// predicts: no gain, up to 5% slower on large vectors: no set-up to save, and a static balance
//
// A grid that fills the GPU once; each thread walks on by the size of the grid.
#include <cuda_runtime.h>

#ifndef UNROLL
#define UNROLL 1  // only the compare and the index addition are saved
#endif

constexpr int threads = 256;
constexpr int blocks_per_multiprocessor = 8;
constexpr int unroll = UNROLL;  // a pragma takes no macro

__device__ __forceinline__ float4 sum(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void __launch_bounds__(threads) add(const float* x, const float* y, float* z, int N) {
  const unsigned first = blockIdx.x * threads + threadIdx.x;
  const unsigned quads = static_cast<unsigned>(N) / 4;
#pragma unroll(unroll)
  for (unsigned i = first; i < quads; i += gridDim.x * threads) {
    const float4 a = reinterpret_cast<const float4*>(x)[i];
    const float4 b = reinterpret_cast<const float4*>(y)[i];
    reinterpret_cast<float4*>(z)[i] = sum(a, b);
  }
  // The last one to three elements.
  const unsigned rest = quads * 4 + first;
  if (first < 4 && rest < static_cast<unsigned>(N)) z[rest] = x[rest] + y[rest];
}

int multiprocessors() {
  int device = 0, count = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  return count;
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  const int needed = (N - 1) / (threads * 4) + 1;
  const int resident = multiprocessors() * blocks_per_multiprocessor;
  const int blocks = needed < resident ? needed : resident;
  add<<<blocks, threads>>>(x, y, z, N);
}
