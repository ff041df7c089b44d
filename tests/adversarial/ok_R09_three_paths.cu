// task: vector_add
// run: check
// expect: pass
// reason: .*
// Honest: three paths by length (whole quads, quads and a tail, short), all of them quick and right.
#include <cuda_runtime.h>

__global__ void four(const float4* x, const float4* y, float4* z, int quads) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= quads) return;
  float4 a = x[i], b = y[i];
  z[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__global__ void one(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  const int quads = N >= 1024 ? N / 4 : 0, done = quads * 4;
  if (quads) four<<<(quads + 255) / 256, 256>>>((const float4*)x, (const float4*)y, (float4*)z, quads);
  if (done < N) one<<<(N - done + 255) / 256, 256>>>(x + done, y + done, z + done, N - done);
}
