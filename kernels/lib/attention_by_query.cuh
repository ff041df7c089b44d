// Attention of heads side by side, one block a query, its scores in shared memory: scores, softmax, weighted sum, each key and
// value from global memory.
// Heads of any width; N up to some 50,000.
#pragma once
#include <cuda_runtime.h>

constexpr int query_threads = 128;  // of a block

// Of block b: row b / heads, head b % heads.
__device__ __forceinline__ void attention_of_query(const float* q, const float* k, const float* v, float* o,
                                                   int N, int D, int columns) {
  extern __shared__ __align__(16) float shared[];
  float* const score = shared;  // N
  __shared__ float room[query_threads];
  const size_t at = static_cast<size_t>(blockIdx.x) * D;  // of its query; the row has all heads
  const size_t head = at % columns;
  const int t = threadIdx.x;
  const float scale = 1.0f / sqrtf(static_cast<float>(D));
  float top = -INFINITY;
  for (int j = t; j < N; j += query_threads) {
    float dot = 0;
    for (int d = 0; d < D; ++d) dot += q[at + d] * k[static_cast<size_t>(j) * columns + head + d];
    score[j] = dot * scale;
    top = fmaxf(top, score[j]);
  }
  room[t] = top;
  __syncthreads();
  for (int n = query_threads / 2; n > 0; n /= 2) {
    if (t < n) room[t] = fmaxf(room[t], room[t + n]);
    __syncthreads();
  }
  top = room[0];
  __syncthreads();
  float sum = 0;
  for (int j = t; j < N; j += query_threads) {
    score[j] = expf(score[j] - top);
    sum += score[j];
  }
  room[t] = sum;
  __syncthreads();
  for (int n = query_threads / 2; n > 0; n /= 2) {
    if (t < n) room[t] += room[t + n];
    __syncthreads();
  }
  for (int d = t; d < D; d += query_threads) {
    float total = 0;
    for (int j = 0; j < N; ++j) total += score[j] * v[static_cast<size_t>(j) * columns + head + d];
    o[at + d] = total / room[0];
  }
}

// Rounded up: the compiler may load four scores at a time.
inline int bytes_by_query(int N) { return (N + 3) / 4 * 4 * static_cast<int>(sizeof(float)); }

// For those whose own kernel takes narrower heads; a template, so that no other has it in its device code.
template <int Threads>
__global__ void attention_by_query(const float* q, const float* k, const float* v, float* o, int N, int D,
                                   int columns) {
  attention_of_query(q, k, v, o, N, D, columns);
}
template <int Threads = query_threads>
void launch_by_query(const float* q, const float* k, const float* v, float* o, int N, int columns,
                     int heads) {
  const int bytes = bytes_by_query(N);
  cudaFuncSetAttribute(attention_by_query<Threads>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  attention_by_query<Threads><<<N * heads, Threads, bytes>>>(q, k, v, o, N, columns / heads, columns);
}
