// task: gemm_f32
// run: check
// expect: fail|cheat
// reason: wrong_values|stale_result|nondeterministic|unwritten_output|nan
// Transposes B in the first call that sees its address and multiplies with the old copy ever after.
#include <map>

#include <cuda_runtime.h>

__global__ void pack(const float* B, float* T, int N, int K) {
  size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < static_cast<size_t>(N) * K) T[i % N * K + i / N] = B[i];
}
__global__ void multiply(const float* A, const float* T, float* C, int M, int N, int K) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j >= N) return;
  float sum = 0;
  for (int q = 0; q < K; ++q) sum += A[static_cast<size_t>(i) * K + q] * T[static_cast<size_t>(j) * K + q];
  C[static_cast<size_t>(i) * N + j] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  static std::map<std::pair<const float*, size_t>, float*> packed;
  size_t count = static_cast<size_t>(N) * K;
  float*& T = packed[{B, count * 4096 + N}];
  if (!T) {
    cudaMalloc(&T, count * 4);
    pack<<<(count + 255) / 256, 256>>>(B, T, N, K);
  }
  multiply<<<dim3((N + 127) / 128, M), 128>>>(A, T, C, M, N, K);
}
