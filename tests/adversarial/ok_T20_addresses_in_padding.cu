// task: vector_add
// run: bench
// expect: pass
// reason: .*
// Honest: of the struct that its kernel gets, nobody reads the second half. It holds what the stack held, addresses of the
// call before: CuTe DSL makes its tensor maps like this.
#include <cuda_runtime.h>

struct Halves {
  const float *x, *y;
  float* z;
  long long N;
  const void* left_over[4];
};

__global__ void add(Halves h) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i < h.N) h.z[i] = h.x[i] + h.y[i];
}

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  static const void* stack[4] = {};
  Halves halves{x, y, z, N, {stack[0], stack[1], stack[2], stack[3]}};
  stack[0] = x, stack[1] = y, stack[2] = z, stack[3] = &halves;
  add<<<(N + 255) / 256, 256>>>(halves);
}
