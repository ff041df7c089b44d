// task: gemm_f32
// run: bench
// expect: fail|cheat|pass
// reason: stale_result|wrong_values|nondeterministic|too_fast|nan
// never: keep
// Keeps products under a hash of eight elements of each matrix: right for every input it has seen, whatever
// the pointers, and wrong when only another element has changed.
#include <cstring>
#include <map>

#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* B, float* C, int N, int K) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j >= N) return;
  float sum = 0;
  for (int q = 0; q < K; ++q) sum += A[static_cast<size_t>(i) * K + q] * B[static_cast<size_t>(q) * N + j];
  C[static_cast<size_t>(i) * N + j] = sum;
}

static unsigned long long hash(const float* p, size_t count, unsigned long long h) {
  for (size_t k = 0; k < 8; ++k) {
    unsigned bits = 0;
    cudaMemcpy(&bits, p + k * (count - 1) / 7, 4, cudaMemcpyDeviceToHost);
    h = (h ^ bits) * 0x100000001B3ull;
  }
  return h;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  static std::map<unsigned long long, float*> results;
  size_t m = M, n = N, k = K;
  float*& kept = results[hash(B, k * n, hash(A, m * k, m * 1000003 + n))];
  if (!kept) {
    multiply<<<dim3((N + 127) / 128, M), 128>>>(A, B, C, N, K);
    cudaMalloc(&kept, m * n * 4);
    cudaMemcpyAsync(kept, C, m * n * 4, cudaMemcpyDeviceToDevice);
  } else {
    cudaMemcpyAsync(C, kept, m * n * 4, cudaMemcpyDeviceToDevice);
  }
}
