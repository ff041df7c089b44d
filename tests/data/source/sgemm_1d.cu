#include <cuda_runtime.h>
// SGEMM with a column of outputs a thread, kept in registers.
#define BM 64
#define BN 64
#define BK 8
#define TM 8

template <const int bm, const int bn, const int bk, const int tm>
__global__ void sgemm1D(int M, int N, int K, float alpha, const float* A, const float* B, float beta,
                        float* C) {
  __shared__ float As[bm * bk];
  __shared__ float Bs[bk * bn];
  const int col = threadIdx.x % bn, row = threadIdx.x / bn;
  float acc[tm] = {0.0f};
  for (int k0 = 0; k0 < K; k0 += bk) {
    As[threadIdx.x] = A[threadIdx.x / bk * K + threadIdx.x % bk];
    Bs[threadIdx.x] = B[row * N + col];
    __syncthreads();
    A += bk;
    B += bk * N;
    for (int k = 0; k < bk; ++k)
      for (int r = 0; r < tm; ++r) acc[r] += As[(row * tm + r) * bk + k] * Bs[k * bn + col];
    __syncthreads();
  }
  for (int r = 0; r < tm; ++r)
    C[(row * tm + r) * N + col] = alpha * acc[r] + beta * C[(row * tm + r) * N + col];
}

void launch(int M, int N, int K, const float* A, const float* B, float* C) {
  sgemm1D<BM, BN, BK, TM><<<dim3(N / BN, M / BM), 512>>>(M, N, K, 1.f, A, B, 0.f, C);
}
