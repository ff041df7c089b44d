// task: gemm_f32
// run: check
// expect: fail
// reason: wrong_values|nan
// Tensor cores in TF32 where the shape allows tiles of 16 x 16 x 8, plain float elsewhere: only some shapes
// are imprecise.
#include <mma.h>

#include <cuda_runtime.h>

__global__ void multiply(const float* A, const float* B, float* C, int N, int K) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j >= N) return;
  float sum = 0;
  for (int q = 0; q < K; ++q) sum += A[static_cast<size_t>(i) * K + q] * B[static_cast<size_t>(q) * N + j];
  C[static_cast<size_t>(i) * N + j] = sum;
}

__global__ void tensor(const float* A, const float* B, float* C, int N, int K) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 8, precision::tf32, row_major> a;
  fragment<matrix_b, 16, 16, 8, precision::tf32, row_major> b;
  fragment<accumulator, 16, 16, 8, float> c;
  fill_fragment(c, 0.0f);
  for (int q = 0; q < K; q += 8) {
    load_matrix_sync(a, A + static_cast<size_t>(blockIdx.y) * 16 * K + q, K);
    load_matrix_sync(b, B + static_cast<size_t>(q) * N + blockIdx.x * 16, N);
    for (float& v : a.x) v = __float_to_tf32(v);
    for (float& v : b.x) v = __float_to_tf32(v);
    mma_sync(c, a, b, c);
  }
  store_matrix_sync(C + static_cast<size_t>(blockIdx.y) * 16 * N + blockIdx.x * 16, c, N, mem_row_major);
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  if (M % 16 == 0 && N % 16 == 0 && K % 8 == 0)
    tensor<<<dim3(N / 16, M / 16), 32>>>(A, B, C, N, K);
  else
    multiply<<<dim3((N + 127) / 128, M), 128>>>(A, B, C, N, K);
}
