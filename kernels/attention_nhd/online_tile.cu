// strategy: online_softmax
// after: naive.cu
// predicts: 5 to 12 times naive.cu: keys and values are read once for 64 queries instead of once a query, and no row of scores is stored; shared-memory loads (one float4 for 4 FMAs) and few warps limit it
//
// As kernels/attention/online_tile.cu, of rows of all heads: a thread a query, scores of a tile of 32 keys in registers, a
// running maximum and sum, and the weighted sum of the values so far. Heads of more than 128 columns go
// query by query.
#include "../lib/attention_by_query.cuh"

constexpr int threads = 64;  // one query each
constexpr int keys = 32;     // of a tile

// `count` rows of D floats to rows of Width; zeros elsewhere.
template <int Width>
__device__ __forceinline__ void load_rows(float* to, const float* from, int count, int D, int columns) {
  for (int p = threadIdx.x; p < keys * Width; p += threads) {
    const int row = p / Width, d = p % Width;
    to[p] = row < count && d < D ? from[static_cast<size_t>(row) * columns + d] : 0.0f;
  }
}

// Width: 64 or 128, at least D.
template <int Width>
constexpr int shared_bytes() {
  return (threads + 2 * keys) * Width * 4;
}

template <int Width>
__global__ void __launch_bounds__(threads)
    attention(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v,
              float* __restrict__ o, int N, int D, int columns, int tiles) {
  extern __shared__ __align__(16) float shared[];
  float* const query = shared;                 // [Width][threads]
  float* const key = query + Width * threads;  // [keys][Width]
  float* const value = key + keys * Width;     // [keys][Width]
  const int t = threadIdx.x;
  const size_t head = static_cast<size_t>(blockIdx.x / tiles) * D;
  const int row = static_cast<int>(blockIdx.x % tiles) * threads + t;
  const float scale = 1.0f / sqrtf(static_cast<float>(D));
  for (int d = 0; d < Width; ++d)
    query[d * threads + t] = row < N && d < D ? q[head + static_cast<size_t>(row) * columns + d] : 0.0f;

  float top = -INFINITY, sum = 0;
  float out[Width] = {};
  for (int j0 = 0; j0 < N; j0 += keys) {
    const int count = min(N - j0, keys);
    load_rows<Width>(key, k + head + static_cast<size_t>(j0) * columns, count, D, columns);
    load_rows<Width>(value, v + head + static_cast<size_t>(j0) * columns, count, D, columns);
    __syncthreads();
    float s[keys] = {};
#pragma unroll 1
    for (int d = 0; d < D; d += 4) {
      const float a[4] = {query[d * threads + t], query[(d + 1) * threads + t], query[(d + 2) * threads + t],
                          query[(d + 3) * threads + t]};
#pragma unroll
      for (int j = 0; j < keys; ++j) {
        const float4 b = *reinterpret_cast<const float4*>(key + j * Width + d);
        s[j] += a[0] * b.x;
        s[j] += a[1] * b.y;
        s[j] += a[2] * b.z;
        s[j] += a[3] * b.w;
      }
    }
    float most = top;  // finite below: a tile has at least one key
#pragma unroll
    for (int j = 0; j < keys; ++j) {
      s[j] = j < count ? s[j] * scale : -INFINITY;
      most = fmaxf(most, s[j]);
    }
    const float shrink = expf(top - most);
    top = most;
    sum *= shrink;
#pragma unroll
    for (int d = 0; d < Width; ++d) out[d] *= shrink;
#pragma unroll
    for (int j = 0; j < keys; ++j) {
      const float weight = expf(s[j] - most);
      sum += weight;
#pragma unroll
      for (int d = 0; d < Width; d += 4) {
        const float4 b = *reinterpret_cast<const float4*>(value + j * Width + d);
        out[d] += weight * b.x;
        out[d + 1] += weight * b.y;
        out[d + 2] += weight * b.z;
        out[d + 3] += weight * b.w;
      }
    }
    __syncthreads();  // before the next tile
  }
  if (row >= N) return;
#pragma unroll
  for (int d = 0; d < Width; ++d)
    if (d < D) o[head + static_cast<size_t>(row) * columns + d] = out[d] / sum;
}

template <int Width>
void launch(const float* q, const float* k, const float* v, float* o, int N, int columns, int heads) {
  constexpr int bytes = shared_bytes<Width>();
  cudaFuncSetAttribute(attention<Width>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  const int tiles = (N + threads - 1) / threads;
  attention<Width><<<heads * tiles, threads, bytes>>>(q, k, v, o, N, columns / heads, columns, tiles);
}

extern "C" void solve(const float* Q, const float* K, const float* V, float* output, int N, int d_model,
                      int num_heads) {
  const int D = d_model / num_heads;
  if (D <= 64) {
    launch<64>(Q, K, V, output, N, d_model, num_heads);
  } else if (D > 128) {
    launch_by_query(Q, K, V, output, N, d_model, num_heads);
  } else {
    launch<128>(Q, K, V, output, N, d_model, num_heads);
  }
}
