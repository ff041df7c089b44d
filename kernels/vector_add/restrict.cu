// strategy: readonly_cache
// after: naive.cu
// predicts: no gain: nothing to reorder, and since sm_70 the read-only path is L1 itself
//
// Pointers that promise not to alias, and loads through ld.global.nc. Everything else as before.
#include <cuda_runtime.h>

__global__ void add(const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ z, int N) {
  size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < static_cast<size_t>(N)) z[i] = __ldg(x + i) + __ldg(y + i);
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  add<<<(N - 1) / 256 + 1, 256>>>(x, y, z, N);
}
