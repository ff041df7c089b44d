// task: vector_add
// run: check
// expect: fail|crash
// reason: signature|compile_error
// solve() is there in a comment and in a string only; what is exported has another name.
// extern "C" void solve(const float* x, const float* y, float* z, int N) {
/* extern "C" void solve(const float* x, const float* y, float* z, int N); */
#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern const char* const text = "extern \"C\" void solve(const float* x, const float* y, float* z, int N)";

extern "C" void solution(const float* x, const float* y, float* z, int N) {
  add<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
