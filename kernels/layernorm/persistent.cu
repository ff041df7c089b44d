// strategy: persistent_kernel
// after: warp_per_row.cu
// predicts: within 5% either way: weights read once a block; a loss at D = 8192, they fill registers
//
// A grid that just fills the GPU; blocks and warps walk over the rows and keep the weights in registers.
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
                                          float scale, const float4 (&w)[Quads], const float4 (&b)[Quads]) {
#pragma unroll
  for (int k = 0; k < Quads; ++k) {
    const int j = k * Width + lane;
    if (j < quads) out[j] = quad_result(v[k], scale, w[k], b[k]);
  }
}

// D a multiple of 4, at most Quads * 4 * threads.
template <int Quads>
__global__ void __launch_bounds__(threads)
    layernorm_registers(const float* __restrict__ x, const float* __restrict__ weight,
                        const float* __restrict__ bias, float* __restrict__ y, int N, int D, float eps) {
  __shared__ float room[2][warps];  // each is written again only behind the barrier of the other
  const float4* w4 = reinterpret_cast<const float4*>(weight);
  const float4* b4 = reinterpret_cast<const float4*>(bias);
  const int quads = D / 4, t = threadIdx.x;
  float4 w[Quads];
  float4 b[Quads];
  load_row<threads>(w4, t, quads, w);
  load_row<threads>(b4, t, quads, b);
  for (int row = blockIdx.x; row < N; row += gridDim.x) {
    const float4* in = reinterpret_cast<const float4*>(x + static_cast<size_t>(row) * D);
    float4* out = reinterpret_cast<float4*>(y + static_cast<size_t>(row) * D);
    float4 v[Quads];
    load_row<threads>(in, t, quads, v);
    const float mean = block_sum<threads>(total(v), room[0]) / D;
    subtract<threads>(v, mean, t, quads);
    const float scale = 1.0f / sqrtf(block_sum<threads>(squares(v), room[1]) / D + eps);
    store_row<threads>(out, t, quads, v, scale, w, b);
  }
}

// A row a warp: no barrier, no shared memory. D a multiple of 4, at most Quads * 4 * 32.
template <int Quads>
__global__ void __launch_bounds__(threads)
    layernorm_warp(const float* __restrict__ x, const float* __restrict__ weight,
                   const float* __restrict__ bias, float* __restrict__ y, int N, int D, float eps) {
  const float4* w4 = reinterpret_cast<const float4*>(weight);
  const float4* b4 = reinterpret_cast<const float4*>(bias);
  const int quads = D / 4, lane = threadIdx.x % 32;
  const int first = static_cast<int>(blockIdx.x) * warps + static_cast<int>(threadIdx.x) / 32;
  float4 w[Quads];
  float4 b[Quads];
  load_row<32>(w4, lane, quads, w);
  load_row<32>(b4, lane, quads, b);
  for (int row = first; row < N; row += static_cast<int>(gridDim.x) * warps) {
    const float4* in = reinterpret_cast<const float4*>(x + static_cast<size_t>(row) * D);
    float4* out = reinterpret_cast<float4*>(y + static_cast<size_t>(row) * D);
    float4 v[Quads];
    load_row<32>(in, lane, quads, v);
    const float mean = warp_sum(total(v)) / D;
    subtract<32>(v, mean, lane, quads);
    const float scale = 1.0f / sqrtf(warp_sum(squares(v)) / D + eps);
    store_row<32>(out, lane, quads, v, scale, w, b);
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

// As many blocks as the GPU holds at once, but no more than there is work for.
template <class Kernel>
int resident(Kernel kernel, int wanted) {
  int device = 0, multiprocessors = 1, each = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, 0);
  const int most = multiprocessors * (each > 0 ? each : 1);
  return wanted < most ? wanted : most;
}

template <int Quads>
void launch(const float* x, const float* weight, const float* bias, float* y, int N, int D, float eps) {
  layernorm_registers<Quads>
      <<<resident(layernorm_registers<Quads>, N), threads>>>(x, weight, bias, y, N, D, eps);
}

template <int Quads>
void launch_warp(const float* x, const float* weight, const float* bias, float* y, int N, int D, float eps) {
  const int blocks = resident(layernorm_warp<Quads>, (N - 1) / warps + 1);
  layernorm_warp<Quads><<<blocks, threads>>>(x, weight, bias, y, N, D, eps);
}

extern "C" void solve(const float* x, const float* weight, const float* bias, float* y, int N, int D,
                      float eps) {
  if (D % 4 != 0 || D > 32 * threads) {
    layernorm_any<<<N, threads>>>(x, weight, bias, y, D, eps);
  } else if (D <= 4 * 32) {
    launch_warp<1>(x, weight, bias, y, N, D, eps);
  } else if (D <= 8 * 32) {
    launch_warp<2>(x, weight, bias, y, N, D, eps);
  } else if (D <= 16 * 32) {
    launch_warp<4>(x, weight, bias, y, N, D, eps);
  } else if (D <= 32 * 32) {
    launch_warp<8>(x, weight, bias, y, N, D, eps);
  } else if (D <= 8 * threads) {
    launch<2>(x, weight, bias, y, N, D, eps);
  } else if (D <= 16 * threads) {
    launch<4>(x, weight, bias, y, N, D, eps);
  } else {
    launch<8>(x, weight, bias, y, N, D, eps);
  }
}
