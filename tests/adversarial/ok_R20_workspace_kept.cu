// task: gemm_f32
// run: check
// expect: pass
// reason: .*
// Honest: the room for a transposed copy of B is kept across calls (and grows), its contents are made anew in
// each.
#include <cuda_runtime.h>

__global__ void pack(const float* B, float* T, int N, int K) {
  size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i < static_cast<size_t>(N) * K) T[i % N * K + i / N] = B[i];
}
__global__ void multiply(const float* A, const float* T, float* C, int N, int K) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j >= N) return;
  float sum = 0;
  for (int q = 0; q < K; ++q) sum += A[static_cast<size_t>(i) * K + q] * T[static_cast<size_t>(j) * K + q];
  C[static_cast<size_t>(i) * N + j] = sum;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  static float* room = nullptr;
  static size_t held = 0;
  size_t count = static_cast<size_t>(N) * K;
  if (count > held) {
    cudaFree(room);
    cudaMalloc(&room, count * 4);
    held = count;
  }
  pack<<<(count + 255) / 256, 256>>>(B, room, N, K);
  multiply<<<dim3((N + 127) / 128, M), 128>>>(A, room, C, N, K);
}
