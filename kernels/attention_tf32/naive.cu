// One block a query, its scores in shared memory: scores, softmax, weighted sum, each key and value from
// global memory.
#include <cuda_runtime.h>

constexpr int threads = 128;

__global__ void attention(const float* q, const float* k, const float* v, float* o, int N, int D) {
  extern __shared__ float score[];  // N
  __shared__ float room[threads];
  const size_t row = blockIdx.x, head = row / N;
  const int t = threadIdx.x;
  const float scale = 1.0f / sqrtf(static_cast<float>(D));
  float top = -INFINITY;
  for (int j = t; j < N; j += threads) {
    float dot = 0;
    for (int d = 0; d < D; ++d) dot += q[row * D + d] * k[(head * N + j) * D + d];
    score[j] = dot * scale;
    top = fmaxf(top, score[j]);
  }
  room[t] = top;
  __syncthreads();
  for (int n = threads / 2; n > 0; n /= 2) {
    if (t < n) room[t] = fmaxf(room[t], room[t + n]);
    __syncthreads();
  }
  top = room[0];
  __syncthreads();
  float sum = 0;
  for (int j = t; j < N; j += threads) {
    score[j] = expf(score[j] - top);
    sum += score[j];
  }
  room[t] = sum;
  __syncthreads();
  for (int n = threads / 2; n > 0; n /= 2) {
    if (t < n) room[t] += room[t + n];
    __syncthreads();
  }
  for (int d = t; d < D; d += threads) {
    float total = 0;
    for (int j = 0; j < N; ++j) total += score[j] * v[(head * N + j) * D + d];
    o[row * D + d] = total / room[0];
  }
}

extern "C" void solve(const float* q, const float* k, const float* v, float* o, int H, int N, int D) {
  // Rounded up: the compiler may load four scores at a time.
  const int bytes = (N + 3) / 4 * 4 * static_cast<int>(sizeof(float));
  cudaFuncSetAttribute(attention, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  attention<<<H * N, threads, bytes>>>(q, k, v, o, N, D);
}
