// strategy: coalesce_global_access
// after: strided_lanes.cu
// predicts: 3 to 10x: neighbouring lanes read neighbouring elements of B, and one element of A
//
// The lanes of a warp are neighbours in a row of C. The same kernel as naive.cu.
#include <cuda_runtime.h>

__global__ void gemm(const float* A, const float* B, float* C, int M, int N, int K) {
  int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
  if (i >= M || j >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[static_cast<size_t>(i) * K + k] * B[static_cast<size_t>(k) * N + j];
  C[static_cast<size_t>(i) * N + j] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  gemm<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8)>>>(A, B, C, M, N, K);
}
