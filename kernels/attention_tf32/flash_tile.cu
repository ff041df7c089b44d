// strategy: register_tiling_2d
// after: naive.cu
// predicts: 15 to 27 times naive.cu: keys and values are read once for 64 queries, no row of scores is stored, and 4 x 4 a thread keep the FMAs fed
//
// 64 queries a block against tiles of 64 keys in shared memory, 4 x 4 scores and 4 x 4 outputs a thread: two
// float4 from shared memory feed 16 FMAs. Queries and keys lie transposed there. D <= 128.
#include <cuda_runtime.h>

constexpr int queries = 64, keys = 64;  // of a tile
constexpr int threads = 256;            // 16 x 16
constexpr int pitch = 68;               // of transposed tiles: a multiple of 4, and not of the 32 banks

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

// 64 rows, of which `count` exist, transposed: to[d][row]. A warp takes 8 rows x 16 columns: whole sectors of
// global memory, and writes that collide at most in pairs.
template <int Width, bool Quad>
__device__ __forceinline__ void load_transposed(float* to, const float* from, int count, int D) {
  for (int p = threadIdx.x; p < 64 * Width / 4; p += threads) {
    const int rest = p / 32;
    const int row = rest / (Width / 16) * 8 + p / 4 % 8;
    const int d = rest % (Width / 16) * 16 + p % 4 * 4;
    float4 r = make_float4(0, 0, 0, 0);
    if (row < count) r = load4<Quad>(from + static_cast<size_t>(row) * D, d, D);
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
              float* __restrict__ o, int N, int D, int tiles) {
  constexpr int groups = Width / 64;  // of four columns of o a thread
  extern __shared__ __align__(16) float shared[];
  float* const query = shared;               // [Width][pitch]
  float* const key = query + Width * pitch;  // [Width][pitch], later the weights [keys][pitch]
  float* const value = key + Width * pitch;  // [keys][Width]
  float* const weight = key;
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const size_t head = static_cast<size_t>(blockIdx.x / tiles) * N * D;
  const int i0 = static_cast<int>(blockIdx.x % tiles) * queries;
  const float scale = 1.0f / sqrtf(static_cast<float>(D));

  load_transposed<Width, Quad>(query, q + head + static_cast<size_t>(i0) * D, N - i0, D);
  float top[4],
      sum[4] = {};  // of four queries; each of the 16 threads of a query has its own part of the sum
  float out[4][groups * 4] = {};
#pragma unroll
  for (int i = 0; i < 4; ++i) top[i] = -INFINITY;

  for (int j0 = 0; j0 < N; j0 += keys) {
    const size_t first = head + static_cast<size_t>(j0) * D;
    const int count = min(N - j0, keys);
    load_transposed<Width, Quad>(key, k + first, count, D);
    for (int p = threadIdx.x; p < keys * Width / 4; p += threads) {
      const int row = p / (Width / 4), d = p % (Width / 4) * 4;
      float4 r = make_float4(0, 0, 0, 0);
      if (row < count) r = load4<Quad>(v + first + static_cast<size_t>(row) * D, d, D);
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
      const float shrink = expf(top[i] - most);
      top[i] = most;
      sum[i] *= shrink;
#pragma unroll
      for (int c = 0; c < groups * 4; ++c) out[i][c] *= shrink;
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        s[i][j] = expf(s[i][j] - most);
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
      float* to = o + head + static_cast<size_t>(row) * D;
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
void launch(const float* q, const float* k, const float* v, float* o, int H, int N, int D) {
  constexpr int bytes = shared_bytes<Width>();
  cudaFuncSetAttribute(attention<Width, Quad>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  const int tiles = (N + queries - 1) / queries;
  attention<Width, Quad><<<H * tiles, threads, bytes>>>(q, k, v, o, N, D, tiles);
}

extern "C" void solve(const float* q, const float* k, const float* v, float* o, int H, int N, int D) {
  if (D <= 64 && D % 4 == 0) {
    launch<64, true>(q, k, v, o, H, N, D);
  } else if (D <= 64) {
    launch<64, false>(q, k, v, o, H, N, D);
  } else if (D % 4 == 0) {
    launch<128, true>(q, k, v, o, H, N, D);
  } else {
    launch<128, false>(q, k, v, o, H, N, D);
  }
}
