#include <cuda_fp16.h>

constexpr int kThreads = 256;

__device__ float warpMax(float v) {
  for (int o = 16; o > 0; o >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, o));
  return v;
}

__global__ __launch_bounds__(kThreads) void k0(const half2* __restrict__ in, half2* __restrict__ out,
                                               int cols) {
  extern __shared__ float buf[];
  const half2* row = in + blockIdx.x * (cols / 2);
  float m = -1e30f, denom = 0.f;
  for (int i = threadIdx.x; i < cols / 2; i += kThreads) {
    float2 f = __half22float2(row[i]);
    m = fmaxf(m, fmaxf(f.x, f.y));
  }
  m = warpMax(m);
  for (int i = threadIdx.x; i < cols / 2; i += kThreads) {
    float2 f = __half22float2(row[i]);
    denom += __expf(f.x - m) + __expf(f.y - m);
  }
  for (int i = threadIdx.x; i < cols / 2; i += kThreads) {
    float2 f = __half22float2(row[i]);
    out[blockIdx.x * (cols / 2) + i] = __floats2half2_rn(__expf(f.x - m) / denom, __expf(f.y - m) / denom);
  }
}
