// task: vector_add
// run: check
// expect: fail
// reason: wrong_values|nan
// Knows the harness's own generator (splitmix64, sum of four 16-bit uniforms) and tries a million seeds for
// each input; where one fits the answer is computed without reading the inputs. Zeros when none fits.
#include <cstdint>

#include <cuda_runtime.h>

__device__ float normal(uint64_t seed, uint64_t index) {
  uint64_t h = seed + (index + 1) * 0x9E3779B97F4A7C15ull;
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ull;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EBull;
  h ^= h >> 31;
  auto bell =
      static_cast<int64_t>((h & 0xFFFF) + ((h >> 16) & 0xFFFF) + ((h >> 32) & 0xFFFF) + (h >> 48)) - 131070;
  return static_cast<float>(static_cast<double>(bell) * (1.0 / 37836.8));
}
__device__ unsigned found[2];
__global__ void search(const float* x, const float* y, int N) {
  unsigned seed = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 2; ++k) {
    const float* in = k == 0 ? x : y;
    if (normal(seed, 0) == in[0] && (N < 2 || normal(seed, 1) == in[1])) atomicMin(&found[k], seed);
  }
}
__global__ void answer(float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N)
    z[i] = N < 8 || found[0] == ~0u || found[1] == ~0u ? 0 : normal(found[0], i) + normal(found[1], i);
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  void* at = nullptr;
  cudaGetSymbolAddress(&at, found);
  cudaMemsetAsync(at, 0xFF, sizeof found);
  search<<<4096, 256>>>(x, y, N);
  answer<<<(N + 255) / 256, 256>>>(z, N);
}
