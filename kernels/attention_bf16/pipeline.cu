// strategy: async_copy_pipeline
// after: mma.cu
// predicts: 1.2 to 1.5 times mma.cu: the next tile of keys and values travels during the products of this one, which take less time than its loads
//
// Two stages of keys and values, filled by cp.async.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../lib/cp_async.cuh"
#include "../lib/mma.cuh"

using bf16 = __nv_bfloat16;

// With 8 warps each tile of keys and values is loaded for twice as many queries.
#ifndef WARPS
#define WARPS 4
#endif
// With EXP2 1, exp(x) = 2^(x log2(e)), and log2(e) is part of the scores' scale.
#ifndef EXP2
#define EXP2 0
#endif

constexpr int warps = WARPS, threads = warps * 32;
constexpr int queries = warps * 16, keys = 64;  // of a tile
constexpr int stages = 2;                       // of keys and values
[[maybe_unused]] constexpr float exponent_factor = EXP2 ? 1.44269504f : 1.0f;

__device__ __forceinline__ float exponential(float x) {
#if EXP2
  float r;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
#else
  return expf(x);
#endif
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define HAVE_BF16_MMA 1
#else
#define HAVE_BF16_MMA 0
#endif

// Any device: a thread an element of the result. Right, not fast.
__global__ void plain_attention(const bf16* q, const bf16* k, const bf16* v, bf16* o, int N, int D,
                                std::int64_t count) {
  const std::int64_t index = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (index >= count) return;
  const size_t row = index / D, head = row / N, d = index % D;
  const float scale = 1.0f / sqrtf(static_cast<float>(D));
  float top = -INFINITY, sum = 0, out = 0;
  for (int j = 0; j < N; ++j) {
    const size_t other = (head * N + j) * D;
    float dot = 0;
    for (int c = 0; c < D; ++c) dot += __bfloat162float(q[row * D + c]) * __bfloat162float(k[other + c]);
    const float most = fmaxf(top, dot * scale), shrink = expf(top - most), weight = expf(dot * scale - most);
    top = most;
    sum = sum * shrink + weight;
    out = out * shrink + weight * __bfloat162float(v[other + d]);
  }
  o[index] = __float2bfloat16(out / sum);
}

#if HAVE_BF16_MMA
// Rows of D elements to padded rows in shared memory, zeros where there is nothing. Wide: D is a multiple of
// 8, so that rows start on 16 bytes, and nobody waits for the copies.
template <int Rows, int Width, bool Wide>
__device__ __forceinline__ void load_rows(bf16* to, const bf16* from, int count, int D) {
  constexpr int pitch = Width + 8;
  constexpr int step = Wide ? 8 : 1;
#pragma unroll 4
  for (int p = threadIdx.x; p < Rows * Width / step; p += threads) {
    const int row = p / (Width / step), d = p % (Width / step) * step;
    const bool valid = row < count && d < D;
    const bf16* source = valid ? from + static_cast<size_t>(row) * D + d : from;
    if (Wide) {
      cp_async_16(to + row * pitch + d, source, valid);
    } else {
      to[row * pitch + d] = valid ? *source : __float2bfloat16(0.0f);
    }
  }
}

__device__ __forceinline__ unsigned pack(float low, float high) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
  return *reinterpret_cast<const unsigned*>(&pair);
}

__device__ __forceinline__ float largest_of_row(float v) {  // four neighbours share a row
  v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, 1));
  return fmaxf(v, __shfl_xor_sync(0xffffffffu, v, 2));
}
__device__ __forceinline__ float sum_of_row(float v) {
  v += __shfl_xor_sync(0xffffffffu, v, 1);
  return v + __shfl_xor_sync(0xffffffffu, v, 2);
}
#endif

// Rows are padded by 16 bytes: the eight rows of an ldmatrix lie in different banks.
template <int Width>
constexpr int stage_elements = 2 * keys*(Width + 8);
template <int Width>
constexpr int shared_bytes = (queries * (Width + 8) + stages * stage_elements<Width>)*2;

// Width: 64 or 128, at least D.
template <int Width, bool Wide>
__global__ void __launch_bounds__(threads)
    attention(const bf16* __restrict__ q, const bf16* __restrict__ k, const bf16* __restrict__ v,
              bf16* __restrict__ o, int N, int D, int tiles) {
#if HAVE_BF16_MMA
  constexpr int pitch = Width + 8;
  extern __shared__ __align__(16) unsigned char shared[];
  bf16* const query = reinterpret_cast<bf16*>(shared);  // [queries][pitch]
  bf16* const stage = query + queries * pitch;          // keys [keys][pitch], values [keys][pitch]; twice
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int group = lane / 4, member = lane % 4;  // of the fragments' layout
  const size_t head = static_cast<size_t>(blockIdx.x / tiles) * N * D;
  const int i0 = static_cast<int>(blockIdx.x % tiles) * queries;
  const float scale = exponent_factor / sqrtf(static_cast<float>(D));

  load_rows<queries, Width, Wide>(query, q + head + static_cast<size_t>(i0) * D, N - i0, D);
  load_rows<keys, Width, Wide>(stage, k + head, N, D);
  load_rows<keys, Width, Wide>(stage + keys * pitch, v + head, N, D);
  cp_async_commit();
  // Of rows `group` and `group + 8` of the warp's 16; each of a row's four threads has its part of the sum.
  float top[2] = {-INFINITY, -INFINITY}, sum[2] = {};
  float out[Width / 8][4] = {};
  // Matrices of an ldmatrix, in order. Queries and (transposed) values: rows 0-7 and 8-15, then the same with
  // the next eight columns; keys: eight columns and the next eight, then the same of the next eight keys.
  const bf16* const left = query + (warp * 16 + lane % 16) * pitch + lane / 16 * 8;
  const int key_at = (lane / 16 * 8 + lane % 8) * pitch + lane / 8 % 2 * 8;
  const int value_at = lane % 16 * pitch + lane / 16 * 8;
  for (int j0 = 0, tile = 0; j0 < N; j0 += keys, ++tile) {
    const int count = min(N - j0, keys), next = j0 + keys;
    if (next < N) {
      bf16* const to = stage + (tile + 1) % stages * stage_elements<Width>;
      const size_t first = head + static_cast<size_t>(next) * D;
      load_rows<keys, Width, Wide>(to, k + first, N - next, D);
      load_rows<keys, Width, Wide>(to + keys * pitch, v + first, N - next, D);
    }
    cp_async_commit();  // also when empty, so that groups count tiles
    cp_async_wait<1>();
    __syncthreads();
    const bf16* const key = stage + tile % stages * stage_elements<Width>;
    const bf16* const value = key + keys * pitch;

    float s[8][4] = {};
#pragma unroll
    for (int d = 0; d < Width; d += 16) {
      unsigned a[4];
      ldmatrix_x4(a, left + d);
#pragma unroll
      for (int n = 0; n < 8; n += 2) {
        unsigned b[4];
        ldmatrix_x4(b, key + key_at + n * 8 * pitch + d);
        mma_bf16(s[n], a, b[0], b[1]);
        mma_bf16(s[n + 1], a, b[2], b[3]);
      }
    }
#pragma unroll
    for (int n = 0; n < 8; ++n) {
#pragma unroll
      for (int e = 0; e < 4; ++e) s[n][e] = n * 8 + member * 2 + e % 2 < count ? s[n][e] * scale : -INFINITY;
    }
    float shrink[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float most = -INFINITY;
#pragma unroll
      for (int n = 0; n < 8; ++n) most = fmaxf(most, fmaxf(s[n][half * 2], s[n][half * 2 + 1]));
      most = fmaxf(largest_of_row(most), top[half]);  // finite: a tile has at least one key
      shrink[half] = exponential(top[half] - most);
      top[half] = most;
      sum[half] *= shrink[half];
#pragma unroll
      for (int n = 0; n < 8; ++n) {
#pragma unroll
        for (int e = half * 2; e < half * 2 + 2; ++e) sum[half] += s[n][e] = exponential(s[n][e] - most);
      }
    }
#pragma unroll
    for (int m = 0; m < Width / 8; ++m) {
#pragma unroll
      for (int e = 0; e < 4; ++e) out[m][e] *= shrink[e / 2];
    }

    // Weights times values: the scores of 16 keys lie as a left operand does.
#pragma unroll
    for (int n = 0; n < 8; n += 2) {
      const unsigned a[4] = {pack(s[n][0], s[n][1]), pack(s[n][2], s[n][3]), pack(s[n + 1][0], s[n + 1][1]),
                             pack(s[n + 1][2], s[n + 1][3])};
#pragma unroll
      for (int m = 0; m < Width / 8; m += 2) {
        unsigned b[4];
        ldmatrix_x4_trans(b, value + value_at + n * 8 * pitch + m * 8);
        mma_bf16(out[m], a, b[0], b[1]);
        mma_bf16(out[m + 1], a, b[2], b[3]);
      }
    }
    __syncthreads();  // before the place of this tile is filled again
  }

#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const float total = sum_of_row(sum[half]);
    const int row = i0 + warp * 16 + half * 8 + group;
    if (row >= N) continue;
    bf16* const to = o + head + static_cast<size_t>(row) * D + member * 2;
#pragma unroll
    for (int m = 0; m < Width / 8; ++m) {
      const int d = m * 8 + member * 2;
      const float x = out[m][half * 2] / total, y = out[m][half * 2 + 1] / total;
      if (Wide) {
        if (d < D) *reinterpret_cast<__nv_bfloat162*>(to + m * 8) = __floats2bfloat162_rn(x, y);
      } else {
        if (d < D) to[m * 8] = __float2bfloat16(x);
        if (d + 1 < D) to[m * 8 + 1] = __float2bfloat16(y);
      }
    }
  }
#endif
}

// False where the device has no bf16 products or too little shared memory.
template <int Width, bool Wide>
bool launch(const bf16* q, const bf16* k, const bf16* v, bf16* o, int H, int N, int D) {
  constexpr int bytes = shared_bytes<Width>;
  int device = 0, major = 0, available = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  cudaDeviceGetAttribute(&available, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (major < 8 || available < bytes) return false;
  cudaFuncSetAttribute(attention<Width, Wide>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  const int tiles = (N + queries - 1) / queries;
  attention<Width, Wide><<<H * tiles, threads, bytes>>>(q, k, v, o, N, D, tiles);
  return true;
}

extern "C" void solve(const __nv_bfloat16* q, const __nv_bfloat16* k, const __nv_bfloat16* v,
                      __nv_bfloat16* o, int H, int N, int D) {
  bool done;
  if (D <= 64) {
    done = D % 8 == 0 ? launch<64, true>(q, k, v, o, H, N, D) : launch<64, false>(q, k, v, o, H, N, D);
  } else {
    done = D % 8 == 0 ? launch<128, true>(q, k, v, o, H, N, D) : launch<128, false>(q, k, v, o, H, N, D);
  }
  if (!done) {
    const std::int64_t count = static_cast<std::int64_t>(H) * N * D;
    plain_attention<<<static_cast<unsigned>((count + 255) / 256), 256>>>(q, k, v, o, N, D, count);
  }
}
