// One thread an element and log2(N) passes over global memory: each adds what lies twice as far away as in
// the pass before (Hillis and Steele), from one buffer to the other.
#include <cuda_runtime.h>

__global__ void add_from(const int* from, int* to, int distance, int N) {
  size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= static_cast<size_t>(N)) return;
  to[i] = i >= static_cast<size_t>(distance) ? from[i] + from[i - distance] : from[i];
}

extern "C" void solve(const int* x, int* y, int* work, int N) {
  int passes = 1;
  while (passes < 31 && 1ll << passes < N) ++passes;
  const int* from = x;
  for (int p = 0; p < passes; ++p) {
    int* to = (passes - p) % 2 == 1 ? y : work;  // the last pass writes y
    add_from<<<(N - 1) / 256 + 1, 256>>>(from, to, 1 << p, N);
    from = to;
  }
}
