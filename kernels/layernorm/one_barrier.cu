// strategy: cooperative_sync
// after: row_per_block.cu
// predicts: 3-10% at D = 1024 (a barrier and a round of shuffles less); even at D >= 4096
//
// Each thread finds mean and squared deviations of its own values; one reduction merges (count, mean,
// squares) by the pairwise update of Chan, Golub and LeVeque, which is as stable as two passes. Sum and sum
// of squares in one pass would not be: x = 1000 +- 1 loses the variance.
#include <cuda_runtime.h>

#include "../lib/quads.cuh"
#include "../lib/reduce.cuh"
#include "../lib/rows.cuh"

constexpr int threads = 256;
constexpr int warps = threads / 32;

__device__ __forceinline__ float4 quad_less(float4 v, float mean) {
  return make_float4(v.x - mean, v.y - mean, v.z - mean, v.w - mean);
}
__device__ __forceinline__ float4 quad_result(float4 v, float scale, float4 w, float4 b) {
  return make_float4(v.x * scale * w.x + b.x, v.y * scale * w.y + b.y, v.z * scale * w.z + b.z,
                     v.w * scale * w.w + b.w);
}

// Beyond the row zeros stay zeros.
template <int Width, int Quads>
__device__ __forceinline__ void subtract(float4 (&v)[Quads], float mean, int lane, int quads) {
#pragma unroll
  for (int k = 0; k < Quads; ++k) {
    if (k * Width + lane < quads) v[k] = quad_less(v[k], mean);
  }
}

template <int Width, int Quads>
__device__ __forceinline__ void store_row(float4* out, int lane, int quads, const float4 (&v)[Quads],
                                          float scale, const float4* w4, const float4* b4) {
#pragma unroll
  for (int k = 0; k < Quads; ++k) {
    const int j = k * Width + lane;
    if (j < quads) out[j] = quad_result(v[k], scale, w4[j], b4[j]);
  }
}

// Count, mean and sum of squared deviations of some elements.
struct Moments {
  float count, mean, squares;
};

__device__ __forceinline__ Moments merge(Moments a, Moments b) {
  const float count = a.count + b.count;
  if (count == 0) return a;
  const float distance = b.mean - a.mean, share = b.count / count;
  return {count, a.mean + distance * share, a.squares + b.squares + distance * distance * a.count * share};
}

// Valid in every thread, and the same bits in all of them.
__device__ Moments block_merge(Moments m, Moments* room) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    const float count = __shfl_xor_sync(0xffffffffu, m.count, step);
    const float mean = __shfl_xor_sync(0xffffffffu, m.mean, step);
    const float rest = __shfl_xor_sync(0xffffffffu, m.squares, step);
    m = merge(m, {count, mean, rest});
  }
  if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = m;
  __syncthreads();
  Moments all = room[0];
#pragma unroll
  for (int w = 1; w < warps; ++w) all = merge(all, room[w]);
  return all;
}

// Of the values that a thread holds; leaves their deviations from the returned mean in v.
template <int Quads>
__device__ __forceinline__ Moments moments(float4 (&v)[Quads], int lane, int quads) {
  const int held = lane < quads ? (quads - 1 - lane) / threads + 1 : 0;
  if (held == 0) return {0, 0, 0};
  const float count = 4.0f * held, mean = total(v) / count;
  subtract<threads>(v, mean, lane, quads);
  return {count, mean, squares(v)};
}

// D a multiple of 4, at most Quads * 4 * threads.
template <int Quads>
__global__ void __launch_bounds__(threads)
    layernorm_registers(const float* __restrict__ x, const float* __restrict__ weight,
                        const float* __restrict__ bias, float* __restrict__ y, int D, float eps) {
  __shared__ Moments room[warps];
  const float4* in = reinterpret_cast<const float4*>(x + static_cast<size_t>(blockIdx.x) * D);
  float4* out = reinterpret_cast<float4*>(y + static_cast<size_t>(blockIdx.x) * D);
  const float4* w4 = reinterpret_cast<const float4*>(weight);
  const float4* b4 = reinterpret_cast<const float4*>(bias);
  const int quads = D / 4, t = threadIdx.x;
  float4 v[Quads];
  load_row<threads>(in, t, quads, v);
  const Moments mine = moments(v, t, quads);
  const Moments all = block_merge(mine, room);
  subtract<threads>(v, all.mean - mine.mean, t, quads);
  const float scale = 1.0f / sqrtf(all.squares / D + eps);
  store_row<threads>(out, t, quads, v, scale, w4, b4);
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
  if (D % 4 != 0 || D > 32 * threads) {
    layernorm_any<<<N, threads>>>(x, weight, bias, y, D, eps);
  } else if (D <= 4 * threads) {
    layernorm_registers<1><<<N, threads>>>(x, weight, bias, y, D, eps);
  } else if (D <= 8 * threads) {
    layernorm_registers<2><<<N, threads>>>(x, weight, bias, y, D, eps);
  } else if (D <= 16 * threads) {
    layernorm_registers<4><<<N, threads>>>(x, weight, bias, y, D, eps);
  } else {
    layernorm_registers<8><<<N, threads>>>(x, weight, bias, y, D, eps);
  }
}
