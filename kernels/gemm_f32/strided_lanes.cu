// strategy: strided_access_x:off
// after: naive.cu
// predicts: loses: 0.1 to 0.3x, as the lanes of a warp read 32 rows of A, so 32 sectors where one would do
//
// The lanes of a warp are neighbours in a column of C, not in a row: each load of A and each store touches 32
// rows. The way back, `coalesced.cu`, is what a first kernel most often lacks.
#include <cuda_runtime.h>

__global__ void gemm(const float* A, const float* B, float* C, int M, int N, int K) {
  int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
  if (i >= M || j >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[static_cast<size_t>(i) * K + k] * B[static_cast<size_t>(k) * N + j];
  C[static_cast<size_t>(i) * N + j] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  gemm<<<dim3((M + 31) / 32, (N + 7) / 8), dim3(32, 8)>>>(A, B, C, M, N, K);
}
