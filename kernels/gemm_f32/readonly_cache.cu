// strategy: readonly_cache
// after: naive.cu
// predicts: no change: the loop stores nothing, and read-only data take the same path through L1
//
// __restrict__ and __ldg on both inputs.
#include <cuda_runtime.h>

__global__ void gemm(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M,
                     int N, int K) {
  int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
  if (i >= M || j >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k)
    sum += __ldg(&A[static_cast<size_t>(i) * K + k]) * __ldg(&B[static_cast<size_t>(k) * N + j]);
  C[static_cast<size_t>(i) * N + j] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  gemm<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8)>>>(A, B, C, M, N, K);
}
