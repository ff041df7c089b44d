// task: vector_add
// run: check
// expect: fail
// reason: unwritten_output|wrong_values|nan
// float4 throughout; what is left of a length that is no multiple of four is forgotten.
#include <cuda_runtime.h>

__global__ void add4(const float4* x, const float4* y, float4* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = make_float4(x[i].x + y[i].x, x[i].y + y[i].y, x[i].z + y[i].z, x[i].w + y[i].w);
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  auto as4 = [](const float* p) { return reinterpret_cast<const float4*>(p); };
  if (N >= 4) add4<<<(N / 4 + 255) / 256, 256>>>(as4(x), as4(y), reinterpret_cast<float4*>(z), N / 4);
}
