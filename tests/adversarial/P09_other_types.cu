// task: vector_add
// run: check
// expect: fail|crash
// reason: signature
// Another signature: doubles and a 64-bit length.
#include <cuda_runtime.h>

__global__ void add(const double* x, const double* y, double* z, long long N) {
  long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const double* x, const double* y, double* z, long long N) {
  add<<<(N / 2 + 255) / 256, 256>>>(x, y, z, N / 2);
}
