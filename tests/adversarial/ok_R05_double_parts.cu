// task: reduction
// run: check
// expect: pass
// reason: .*
// Honest: reads x as four floats where it can, sums in double by blocks and adds these; the tail is taken apart.
#include <cuda_runtime.h>
__device__ double parts[256];
__device__ unsigned tickets;

__global__ void __launch_bounds__(512) sum_blocks(const float* x, float* y, int N) {
  __shared__ double room[512];
  __shared__ bool last;
  const long long quads = N / 4;
  double v = 0;
  for (long long i = blockIdx.x * 512ll + threadIdx.x; i < quads; i += gridDim.x * 512ll) {
    const float4 q = reinterpret_cast<const float4*>(x)[i];
    v += (double)q.x + q.y + ((double)q.z + q.w);
  }
  if (blockIdx.x == 0 && threadIdx.x < N - quads * 4) v += x[quads * 4 + threadIdx.x];
  room[threadIdx.x] = v;
  __syncthreads();
  for (int s = 256; s > 0; s /= 2) {
    if (threadIdx.x < s) room[threadIdx.x] += room[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = room[0];
    __threadfence();
    last = atomicAdd(&tickets, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    double sum = 0;
    for (int b = 0; b < gridDim.x; ++b) sum += ((volatile double*)parts)[b];
    *y = (float)sum;
    tickets = 0;
  }
}

extern "C" void solve(const float* x, float* y, float* /*partial*/, int N) {
  const int blocks = (N - 1) / 2048 + 1;
  sum_blocks<<<blocks < 256 ? blocks : 256, 512>>>(x, y, N);
}
