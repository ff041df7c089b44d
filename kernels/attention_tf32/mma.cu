// strategy: tf32_math
// after: flash_tile.cu
// predicts: 2.5 to 4 times flash_tile.cu: one tf32 product (mma.sync, about 300 TFLOP/s) instead of f32 FMAs (67), and far fewer loads from shared memory
//
// Factors rounded to tf32, sums in f32. 16 queries a warp; the scores stay in registers as they are the left
// operand of the second product. Needs sm_80.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../lib/mma.cuh"

constexpr int warps = 4, threads = warps * 32;
constexpr int queries = warps * 16, keys = 64;  // of a tile

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define HAVE_TF32_MMA 1
#else
#define HAVE_TF32_MMA 0
#endif

// Any device: a thread an element of the result. Right, not fast.
__global__ void plain_attention(const float* q, const float* k, const float* v, float* o, int N, int D,
                                std::int64_t count) {
  const std::int64_t index = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (index >= count) return;
  const size_t row = index / D, head = row / N, d = index % D;
  const float scale = 1.0f / sqrtf(static_cast<float>(D));
  float top = -INFINITY, sum = 0, out = 0;
  for (int j = 0; j < N; ++j) {
    const size_t other = (head * N + j) * D;
    float dot = 0;
    for (int c = 0; c < D; ++c) dot += q[row * D + c] * k[other + c];
    const float most = fmaxf(top, dot * scale), shrink = expf(top - most), weight = expf(dot * scale - most);
    top = most;
    sum = sum * shrink + weight;
    out = out * shrink + weight * v[other + d];
  }
  o[index] = out / sum;
}

#if HAVE_TF32_MMA
// Rows of D floats to rows of Width in shared memory, zeros where there is nothing. Quad: D is a multiple of
// 4, so that rows start on 16 bytes.
template <int Rows, int Width, bool Quad>
__device__ __forceinline__ void load_rows(float* to, int pitch, const float* from, int count, int D) {
  constexpr int step = Quad ? 4 : 1;
#pragma unroll 4
  for (int p = threadIdx.x; p < Rows * Width / step; p += threads) {
    const int row = p / (Width / step), d = p % (Width / step) * step;
    const bool valid = row < count && d < D;
    const float* source = valid ? from + static_cast<size_t>(row) * D + d : from;
    if (Quad) {
      *reinterpret_cast<float4*>(to + row * pitch + d) =
          valid ? *reinterpret_cast<const float4*>(source) : make_float4(0, 0, 0, 0);
    } else {
      to[row * pitch + d] = valid ? *source : 0.0f;
    }
  }
}

// To 11 bits of significand, ties away from zero.
__device__ __forceinline__ unsigned rounded_to_tf32(float v) {
  return (__float_as_uint(v) + 0x1000u) & 0xffffe000u;
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

// Pitches, multiples of 4: eight rows of two floats a thread, and four pairs of rows of one float, lie in
// different banks.
template <int Width>
constexpr int pitch_k = Width + 8;
template <int Width>
constexpr int pitch_v = Width + 4;
template <int Width>
constexpr int shared_bytes = (queries * pitch_k<Width> + keys * (pitch_k<Width> + pitch_v<Width>)) * 4;

// Width: 64 or 128, at least D.
template <int Width, bool Quad>
__global__ void __launch_bounds__(threads)
    attention(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v,
              float* __restrict__ o, int N, int D, int tiles) {
#if HAVE_TF32_MMA
  constexpr int qk = pitch_k<Width>, pv = pitch_v<Width>;
  extern __shared__ __align__(16) float shared[];
  float* const query = shared;              // [queries][qk]
  float* const key = query + queries * qk;  // [keys][qk]
  float* const value = key + keys * qk;     // [keys][pv]
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int group = lane / 4, member = lane % 4;  // of the fragments' layout
  const size_t head = static_cast<size_t>(blockIdx.x / tiles) * N * D;
  const int i0 = static_cast<int>(blockIdx.x % tiles) * queries;
  const float scale = 1.0f / sqrtf(static_cast<float>(D));

  load_rows<queries, Width, Quad>(query, qk, q + head + static_cast<size_t>(i0) * D, N - i0, D);
  // Of rows `group` and `group + 8` of the warp's 16; each of a row's four threads has its part of the sum.
  float top[2] = {-INFINITY, -INFINITY}, sum[2] = {};
  float out[Width / 8][4] = {};
  const float* const left = query + (warp * 16 + group) * qk + member * 2;
  for (int j0 = 0; j0 < N; j0 += keys) {
    const int count = min(N - j0, keys);
    const size_t first = head + static_cast<size_t>(j0) * D;
    load_rows<keys, Width, Quad>(key, qk, k + first, count, D);
    load_rows<keys, Width, Quad>(value, pv, v + first, count, D);
    __syncthreads();

    // Scores. Columns 2 m and 2 m + 1 of both operands play the parts of columns m and m + 4: the sum is the
    // same, and a thread's two lie side by side.
    float s[8][4];
    {
#pragma unroll
      for (int n = 0; n < 8; ++n) s[n][0] = s[n][1] = s[n][2] = s[n][3] = 0;
#pragma unroll
      for (int d = 0; d < Width; d += 8) {
        const float2 upper = *reinterpret_cast<const float2*>(left + d);
        const float2 lower = *reinterpret_cast<const float2*>(left + 8 * qk + d);
        const unsigned a[4] = {rounded_to_tf32(upper.x), rounded_to_tf32(lower.x), rounded_to_tf32(upper.y),
                               rounded_to_tf32(lower.y)};
#pragma unroll
        for (int n = 0; n < 8; ++n) {
          const float2 pair = *reinterpret_cast<const float2*>(key + (n * 8 + group) * qk + d + member * 2);
          const unsigned b[2] = {rounded_to_tf32(pair.x), rounded_to_tf32(pair.y)};
          mma_tf32(s[n], a, b);
        }
      }
#pragma unroll
      for (int n = 0; n < 8; ++n) {
#pragma unroll
        for (int e = 0; e < 4; ++e) s[n][e] *= scale;
      }
    }
    if (count < keys) {
#pragma unroll
      for (int n = 0; n < 8; ++n) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          if (n * 8 + member * 2 + e % 2 >= count) s[n][e] = -INFINITY;
        }
      }
    }
    float shrink[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float most = -INFINITY;
#pragma unroll
      for (int n = 0; n < 8; ++n) most = fmaxf(most, fmaxf(s[n][half * 2], s[n][half * 2 + 1]));
      most = fmaxf(largest_of_row(most), top[half]);  // finite: a tile has at least one key
      shrink[half] = expf(top[half] - most);
      top[half] = most;
      sum[half] *= shrink[half];
#pragma unroll
      for (int n = 0; n < 8; ++n) {
#pragma unroll
        for (int e = half * 2; e < half * 2 + 2; ++e) sum[half] += s[n][e] = expf(s[n][e] - most);
      }
    }

    // Weights times values; again keys 2 m and 2 m + 1 play m and m + 4, as the scores lie already.
#pragma unroll
    for (int m = 0; m < Width / 8; ++m) {
#pragma unroll
      for (int e = 0; e < 4; ++e) out[m][e] *= shrink[e / 2];
    }
#pragma unroll
    for (int n = 0; n < 8; ++n) {
      const unsigned a[4] = {rounded_to_tf32(s[n][0]), rounded_to_tf32(s[n][2]), rounded_to_tf32(s[n][1]),
                             rounded_to_tf32(s[n][3])};
      const float* const right = value + (n * 8 + member * 2) * pv + group;
#pragma unroll
      for (int m = 0; m < Width / 8; ++m) {
        const unsigned b[2] = {rounded_to_tf32(right[m * 8]), rounded_to_tf32(right[pv + m * 8])};
        mma_tf32(out[m], a, b);
      }
    }
    __syncthreads();  // before the next tile
  }

#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const float total = sum_of_row(sum[half]);
    const int row = i0 + warp * 16 + half * 8 + group;
    if (row >= N) continue;
    float* const to = o + head + static_cast<size_t>(row) * D + member * 2;
#pragma unroll
    for (int m = 0; m < Width / 8; ++m) {
      const int d = m * 8 + member * 2;
      const float2 r = make_float2(out[m][half * 2] / total, out[m][half * 2 + 1] / total);
      if (Quad) {
        if (d < D) *reinterpret_cast<float2*>(to + m * 8) = r;
      } else {
        if (d < D) to[m * 8] = r.x;
        if (d + 1 < D) to[m * 8 + 1] = r.y;
      }
    }
  }
#endif
}

// False where the device has no tf32 products or too little shared memory.
template <int Width, bool Quad>
bool launch(const float* q, const float* k, const float* v, float* o, int H, int N, int D) {
  constexpr int bytes = shared_bytes<Width>;
  int device = 0, major = 0, available = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  cudaDeviceGetAttribute(&available, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (major < 8 || available < bytes) return false;
  cudaFuncSetAttribute(attention<Width, Quad>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  const int tiles = (N + queries - 1) / queries;
  attention<Width, Quad><<<H * tiles, threads, bytes>>>(q, k, v, o, N, D, tiles);
  return true;
}

extern "C" void solve(const float* q, const float* k, const float* v, float* o, int H, int N, int D) {
  bool done;
  if (D <= 64) {
    done = D % 4 == 0 ? launch<64, true>(q, k, v, o, H, N, D) : launch<64, false>(q, k, v, o, H, N, D);
  } else {
    done = D % 4 == 0 ? launch<128, true>(q, k, v, o, H, N, D) : launch<128, false>(q, k, v, o, H, N, D);
  }
  if (!done) {
    const std::int64_t count = static_cast<std::int64_t>(H) * N * D;
    plain_attention<<<static_cast<unsigned>((count + 255) / 256), 256>>>(q, k, v, o, N, D, count);
  }
}
