// strategy: strength_reduction_fma
// after: naive.cu
// predicts: 1.1x to 1.3x at N=4096: two long divisions a pair become one short one
//
// The grid's x is the position, its y a piece of the position's pairs, so a thread divides small numbers
// only.
#include <cuda_runtime.h>

constexpr unsigned threads = 256;

__global__ void __launch_bounds__(threads)
    rope(float* x, const float* cosines, const float* sines, unsigned H, unsigned D) {
  const unsigned half = D / 2, pairs = H * half;  // of one position
  const size_t n = blockIdx.x;
  // One turn, unless the grid's y has reached its limit.
  for (unsigned p = blockIdx.y * threads + threadIdx.x; p < pairs; p += gridDim.y * threads) {
    const unsigned h = p / half, i = p - h * half;
    const float c = cosines[n * half + i], s = sines[n * half + i];
    float* row = x + (n * H + h) * D;
    const float a = row[i], b = row[i + half];
    row[i] = a * c - b * s;
    row[i + half] = b * c + a * s;
  }
}

extern "C" void solve(float* x, const float* cosines, const float* sines, int N, int H, int D) {
  const unsigned pieces = (static_cast<unsigned>(H) * (D / 2) + threads - 1) / threads;
  rope<<<dim3(N, pieces < 65535 ? pieces : 65535), threads>>>(x, cosines, sines, H, D);
}
