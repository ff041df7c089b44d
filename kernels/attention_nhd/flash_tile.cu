// strategy: register_tiling_2d
// after: online_tile.cu
// predicts: 1.5 to 3 times online_tile.cu: 4 x 4 a thread takes two float4 from shared memory for 16 FMAs instead of one for 4, and four times as many warps hide each other's waits
//
// As kernels/attention/flash_tile.cu, of rows of all heads: 64 queries a block against tiles of 64 keys in shared memory,
// 4 x 4 scores and 4 x 4 outputs a thread. Queries and keys lie transposed there. Heads of more than 128
// columns go query by query.
#include "../lib/attention_by_query.cuh"

// Fewer queries a block are more blocks, and each tile of keys is used less often.
#ifndef QUERIES
#define QUERIES 64
#endif
// With EXP2 1, exp(x) = 2^(x log2(e)), and log2(e) is part of the scores' scale.
#ifndef EXP2
#define EXP2 0
#endif

constexpr int queries = QUERIES, keys = 64;  // of a tile
constexpr int threads = queries * 4;         // 16 columns, each of 4 x 4 scores
constexpr int pitch = 68;                    // of transposed tiles: a multiple of 4, and not of the 32 banks

[[maybe_unused]] constexpr float exponent_factor = EXP2 ? 1.44269504f : 1.0f;

__device__ __forceinline__ float exponential(float x) {
#if EXP2
  return exp2f(x);
#else
  return expf(x);
#endif
}

// Four neighbours of a row from column d on; zeros beyond D.
template <bool Quad>
__device__ __forceinline__ float4 load4(const float* row, int d, int D) {
  float4 r = make_float4(0, 0, 0, 0);
  if (Quad) {  // D is a multiple of 4
    if (d < D) r = *reinterpret_cast<const float4*>(row + d);
  } else {
    if (d < D) r.x = row[d];
    if (d + 1 < D) r.y = row[d + 1];
    if (d + 2 < D) r.z = row[d + 2];
    if (d + 3 < D) r.w = row[d + 3];
  }
  return r;
}

// Rows, of which `count` exist, transposed: to[d][row]. A warp takes 8 rows x 16 columns: whole sectors of
// global memory, and writes that collide at most in pairs.
template <int Rows, int Width, bool Quad>
__device__ __forceinline__ void load_transposed(float* to, const float* from, int count, int D, int columns) {
  for (int p = threadIdx.x; p < Rows * Width / 4; p += threads) {
    const int rest = p / 32;
    const int row = rest / (Width / 16) * 8 + p / 4 % 8;
    const int d = rest % (Width / 16) * 16 + p % 4 * 4;
    float4 r = make_float4(0, 0, 0, 0);
    if (row < count) r = load4<Quad>(from + static_cast<size_t>(row) * columns, d, D);
    to[d * pitch + row] = r.x;
    to[(d + 1) * pitch + row] = r.y;
    to[(d + 2) * pitch + row] = r.z;
    to[(d + 3) * pitch + row] = r.w;
  }
}

// Width: 64 or 128, at least D.
template <int Width>
constexpr int shared_bytes() {
  return (2 * Width * pitch + keys * Width) * 4;
}

template <int Width, bool Quad>
__global__ void __launch_bounds__(threads)
    attention(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v,
              float* __restrict__ o, int N, int D, int columns, int tiles) {
  constexpr int groups = Width / 64;  // of four columns of o a thread
  extern __shared__ __align__(16) float shared[];
  float* const query = shared;               // [Width][pitch]
  float* const key = query + Width * pitch;  // [Width][pitch], later the weights [keys][pitch]
  float* const value = key + Width * pitch;  // [keys][Width]
  float* const weight = key;
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const size_t head = static_cast<size_t>(blockIdx.x / tiles) * D;
  const int i0 = static_cast<int>(blockIdx.x % tiles) * queries;
  const float scale = exponent_factor / sqrtf(static_cast<float>(D));

  load_transposed<queries, Width, Quad>(query, q + head + static_cast<size_t>(i0) * columns, N - i0, D,
                                        columns);
  float top[4],
      sum[4] = {};  // of four queries; each of the 16 threads of a query has its own part of the sum
  float out[4][groups * 4] = {};
#pragma unroll
  for (int i = 0; i < 4; ++i) top[i] = -INFINITY;

  for (int j0 = 0; j0 < N; j0 += keys) {
    const size_t first = head + static_cast<size_t>(j0) * columns;
    const int count = min(N - j0, keys);
    load_transposed<keys, Width, Quad>(key, k + first, count, D, columns);
    for (int p = threadIdx.x; p < keys * Width / 4; p += threads) {
      const int row = p / (Width / 4), d = p % (Width / 4) * 4;
      float4 r = make_float4(0, 0, 0, 0);
      if (row < count) r = load4<Quad>(v + first + static_cast<size_t>(row) * columns, d, D);
      *reinterpret_cast<float4*>(value + row * Width + d) = r;
    }
    __syncthreads();

    float s[4][4] = {};  // queries ty * 4 .., keys tx * 4 ..
#pragma unroll 4
    for (int d = 0; d < D; ++d) {
      const float4 a = *reinterpret_cast<const float4*>(query + d * pitch + ty * 4);
      const float4 b = *reinterpret_cast<const float4*>(key + d * pitch + tx * 4);
      const float left[4] = {a.x, a.y, a.z, a.w}, right[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) s[i][j] += left[i] * right[j];
      }
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      float most = -INFINITY;
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        s[i][j] = tx * 4 + j < count ? s[i][j] * scale : -INFINITY;
        most = fmaxf(most, s[i][j]);
      }
#pragma unroll
      for (int step = 8; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, step));
      most = fmaxf(most, top[i]);  // finite: a tile has at least one key
      const float shrink = exponential(top[i] - most);
      top[i] = most;
      sum[i] *= shrink;
#pragma unroll
      for (int c = 0; c < groups * 4; ++c) out[i][c] *= shrink;
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        s[i][j] = exponential(s[i][j] - most);
        sum[i] += s[i][j];
      }
    }
    __syncthreads();  // the keys have been read: their place takes the weights
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      *reinterpret_cast<float4*>(weight + (tx * 4 + j) * pitch + ty * 4) =
          make_float4(s[0][j], s[1][j], s[2][j], s[3][j]);
    }
    __syncthreads();
#pragma unroll 4
    for (int j = 0; j < count; ++j) {
      const float4 a = *reinterpret_cast<const float4*>(weight + j * pitch + ty * 4);
      const float left[4] = {a.x, a.y, a.z, a.w};
#pragma unroll
      for (int g = 0; g < groups; ++g) {
        const float4 b = *reinterpret_cast<const float4*>(value + j * Width + g * 64 + tx * 4);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          out[i][g * 4] += left[i] * b.x;
          out[i][g * 4 + 1] += left[i] * b.y;
          out[i][g * 4 + 2] += left[i] * b.z;
          out[i][g * 4 + 3] += left[i] * b.w;
        }
      }
    }
    __syncthreads();  // before the next tile overwrites weights and values
  }

#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int step = 8; step > 0; step /= 2) sum[i] += __shfl_xor_sync(0xffffffffu, sum[i], step);
    const int row = i0 + ty * 4 + i;
    if (row < N) {
      float* to = o + head + static_cast<size_t>(row) * columns;
#pragma unroll
      for (int g = 0; g < groups; ++g) {
        const int d = g * 64 + tx * 4;
        const float4 r = make_float4(out[i][g * 4] / sum[i], out[i][g * 4 + 1] / sum[i],
                                     out[i][g * 4 + 2] / sum[i], out[i][g * 4 + 3] / sum[i]);
        if (Quad) {
          if (d < D) *reinterpret_cast<float4*>(to + d) = r;
        } else {
          if (d < D) to[d] = r.x;
          if (d + 1 < D) to[d + 1] = r.y;
          if (d + 2 < D) to[d + 2] = r.z;
          if (d + 3 < D) to[d + 3] = r.w;
        }
      }
    }
  }
}

template <int Width, bool Quad>
void launch(const float* q, const float* k, const float* v, float* o, int N, int columns, int heads) {
  constexpr int bytes = shared_bytes<Width>();
  cudaFuncSetAttribute(attention<Width, Quad>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  const int tiles = (N + queries - 1) / queries;
  attention<Width, Quad><<<heads * tiles, threads, bytes>>>(q, k, v, o, N, columns / heads, columns, tiles);
}

extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int N, int d_model,
                      int num_heads) {
  const int D = d_model / num_heads;
  if (D <= 64 && D % 4 == 0) {
    launch<64, true>(Q, K, V, output, N, d_model, num_heads);
  } else if (D <= 64) {
    launch<64, false>(Q, K, V, output, N, d_model, num_heads);
  } else if (D > 128) {
    launch_by_query(Q, K, V, output, N, d_model, num_heads);
  } else if (D % 4 == 0) {
    launch<128, true>(Q, K, V, output, N, d_model, num_heads);
  } else {
    launch<128, false>(Q, K, V, output, N, d_model, num_heads);
  }
}
