// strategy: readonly_cache
// after: naive.cu
// predicts: no gain: a thread loads all before it stores, and the read-only path is L1 itself
//
// Pointers that promise not to alias; cosines and sines through ld.global.nc.
#include <cuda_runtime.h>

__global__ void rope(float* __restrict__ x, const float* __restrict__ cosines,
                     const float* __restrict__ sines, int N, int H, int D) {
  const int half = D / 2;
  size_t pair = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (pair >= static_cast<size_t>(N) * H * half) return;
  size_t head = pair / half;  // n * H + h
  int i = static_cast<int>(pair % half);
  size_t n = head / H;
  float c = __ldg(cosines + n * half + i), s = __ldg(sines + n * half + i);
  float* row = x + head * D;
  float a = row[i], b = row[i + half];
  row[i] = a * c - b * s;
  row[i + half] = b * c + a * s;
}

extern "C" void solve(float* x, const float* cosines, const float* sines, int N, int H, int D) {
  size_t blocks = (static_cast<size_t>(N) * H * (D / 2) + 255) / 256;
  rope<<<static_cast<unsigned>(blocks), 256>>>(x, cosines, sines, N, H, D);
}
