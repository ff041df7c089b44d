// strategy: smem_tiling:on
// after: vectorized.cu
// predicts: helps on sm_86; within 5% on sm_90, whose L1 serves the second read; may lose at D = 8192
//
// The row waits in shared memory between its passes, so global memory is read once. Rows over 11 K elements
// do not fit in the 48 KB that need no opt-in and go the old way.
#include <cuda_runtime.h>

#include "../lib/quads.cuh"
#include "../lib/reduce.cuh"

constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr int longest_row = 11 * 1024;  // elements: 44 KB, within the 48 KB every GPU gives

__device__ __forceinline__ float4 quad_less(float4 v, float mean) {
  return make_float4(v.x - mean, v.y - mean, v.z - mean, v.w - mean);
}
__device__ __forceinline__ float4 quad_result(float4 v, float scale, float4 w, float4 b) {
  return make_float4(v.x * scale * w.x + b.x, v.y * scale * w.y + b.y, v.z * scale * w.z + b.z,
                     v.w * scale * w.w + b.w);
}

// D a multiple of 4, so that every row starts on 16 bytes. A thread reads back only what it wrote itself.
__global__ void __launch_bounds__(threads)
    layernorm_quads(const float* __restrict__ x, const float* __restrict__ weight,
                    const float* __restrict__ bias, float* __restrict__ y, int D, float eps) {
  extern __shared__ float4 row[];
  __shared__ float room[2][warps];
  const float4* in = reinterpret_cast<const float4*>(x + static_cast<size_t>(blockIdx.x) * D);
  float4* out = reinterpret_cast<float4*>(y + static_cast<size_t>(blockIdx.x) * D);
  const float4* w4 = reinterpret_cast<const float4*>(weight);
  const float4* b4 = reinterpret_cast<const float4*>(bias);
  float sum = 0;
  for (int j = threadIdx.x; j < D / 4; j += threads) {
    row[j] = in[j];
    sum += quad_sum(row[j]);
  }
  const float mean = block_sum<threads>(sum, room[0]) / D;
  float squares = 0;
  for (int j = threadIdx.x; j < D / 4; j += threads) squares += quad_squares(quad_less(row[j], mean));
  const float scale = 1.0f / sqrtf(block_sum<threads>(squares, room[1]) / D + eps);
  for (int j = threadIdx.x; j < D / 4; j += threads) {
    out[j] = quad_result(quad_less(row[j], mean), scale, w4[j], b4[j]);
  }
}

__global__ void __launch_bounds__(threads)
    layernorm_any(const float* __restrict__ x, const float* __restrict__ weight,
                  const float* __restrict__ bias, float* __restrict__ y, int D, float eps) {
  __shared__ float room[2][warps];
  const float* in = x + static_cast<size_t>(blockIdx.x) * D;
  float* out = y + static_cast<size_t>(blockIdx.x) * D;
  float sum = 0;
  for (int j = threadIdx.x; j < D; j += threads) sum += in[j];
  const float mean = block_sum<threads>(sum, room[0]) / D;
  float squares = 0;
  for (int j = threadIdx.x; j < D; j += threads) squares += square(in[j] - mean);
  const float scale = 1.0f / sqrtf(block_sum<threads>(squares, room[1]) / D + eps);
  for (int j = threadIdx.x; j < D; j += threads) out[j] = (in[j] - mean) * scale * weight[j] + bias[j];
}

extern "C" void solve(const float* x, const float* weight, const float* bias, float* y, int N, int D,
                      float eps) {
  if (D % 4 == 0 && D <= longest_row) {
    layernorm_quads<<<N, threads, D * sizeof(float)>>>(x, weight, bias, y, D, eps);
  } else {
    layernorm_any<<<N, threads>>>(x, weight, bias, y, D, eps);
  }
}
