// task: gemm_f32
// run: bench
// expect: pass
// reason: .*
// Honest and many times faster than one thread an element: tiles of 64 x 64 in shared memory, 4 x 4 elements
// a thread.
#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float a[16][65], b[16][64];
  int t = threadIdx.x, row = t / 16 * 4, column = t % 16 * 4, i0 = blockIdx.y * 64, j0 = blockIdx.x * 64;
  float sum[4][4] = {};
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int e = t; e < 1024; e += 256) {
      int i = i0 + e / 16, q = k0 + e % 16, p = k0 + e / 64, j = j0 + e % 64;
      a[e % 16][e / 16] = i < M && q < K ? A[static_cast<size_t>(i) * K + q] : 0;
      b[e / 64][e % 64] = p < K && j < N ? B[static_cast<size_t>(p) * N + j] : 0;
    }
    __syncthreads();
    for (int q = 0; q < 16; ++q)
      for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c) sum[r][c] += a[q][row + r] * b[q][column + c];
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c)
      if (i0 + row + r < M && j0 + column + c < N)
        C[static_cast<size_t>(i0 + row + r) * N + j0 + column + c] = sum[r][c];
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  multiply<<<dim3((N + 63) / 64, (M + 63) / 64), 256>>>(A, B, C, M, N, K);
}
