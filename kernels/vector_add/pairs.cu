// strategy: vector_width:up
// after: naive.cu
// predicts: 1.2x or more on large vectors: 16 bytes a thread in flight instead of 8; less at 65536
//
// Two neighbouring elements a thread, moved as one 8-byte access. The bytes are the same; loads, stores and
// index arithmetic are half.
#include <cuda_runtime.h>

constexpr int threads = 256;

__global__ void __launch_bounds__(threads) add(const float* x, const float* y, float* z, int N) {
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  const unsigned pairs = static_cast<unsigned>(N) / 2;
  if (i < pairs) {
    const float2 a = reinterpret_cast<const float2*>(x)[i];
    const float2 b = reinterpret_cast<const float2*>(y)[i];
    reinterpret_cast<float2*>(z)[i] = make_float2(a.x + b.x, a.y + b.y);
  }
  if (i == 0 && N % 2 != 0) z[N - 1] = x[N - 1] + y[N - 1];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add<<<(N - 1) / (threads * 2) + 1, threads>>>(x, y, z, N);
}
