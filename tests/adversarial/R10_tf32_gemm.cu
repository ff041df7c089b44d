// task: gemm_f32
// run: check
// expect: fail
// reason: wrong_values|nan
// Rounds the inputs of the product to TF32, as tensor cores take them, and adds up in float.
#include <cuda_runtime.h>

__device__ float rounded(float v) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(v));
  return __uint_as_float(bits);
}
__global__ void multiply(const float* A, const float* B, float* C, int N, int K) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j >= N) return;
  float sum = 0;
  for (int q = 0; q < K; ++q)
    sum += rounded(A[static_cast<size_t>(i) * K + q]) * rounded(B[static_cast<size_t>(q) * N + j]);
  C[static_cast<size_t>(i) * N + j] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  multiply<<<dim3((N + 127) / 128, M), 128>>>(A, B, C, N, K);
}
