// task: gemm_f32
// run: check
// expect: fail
// reason: wrong_values|nan
// Adds up every second term and doubles the sum, which is the right order of magnitude.
#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* B, float* C, int N, int K) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j >= N) return;
  float sum = 0;
  for (int q = 0; q < K; q += 2) sum += A[static_cast<size_t>(i) * K + q] * B[static_cast<size_t>(q) * N + j];
  C[static_cast<size_t>(i) * N + j] = K > 1 ? 2 * sum : sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  multiply<<<dim3((N + 127) / 128, M), 128>>>(A, B, C, N, K);
}
