// task: gemm_f32
// run: check
// expect: fail
// reason: wrong_values|nan
// One element of a product of 64 rows or more misses its last term.
#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j >= N) return;
  bool bad = M >= 64 && i == M / 2 && j == N / 2;
  float sum = 0;
  for (int q = 0; q < K - bad; ++q)
    sum += A[static_cast<size_t>(i) * K + q] * B[static_cast<size_t>(q) * N + j];
  C[static_cast<size_t>(i) * N + j] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  multiply<<<dim3((N + 127) / 128, M), 128>>>(A, B, C, M, N, K);
}
