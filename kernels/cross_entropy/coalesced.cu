// strategy: coalesce_global_access
// after: naive.cu
// predicts: 10x and more for V >= 8192: 4 sectors a load instead of 32, 256 threads a row instead of one
//
// One block a row: neighbouring threads read neighbouring logits. Maximum and sum go through a tree in
// shared memory with a barrier a level; the row is read twice.
#include <cuda_runtime.h>

constexpr int threads = 256;

struct Max {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

// The result is valid in every thread; `room` may be used again at once.
template <class Op>
__device__ float block_reduce(float v, float* room, Op op) {
  const int t = threadIdx.x;
  room[t] = v;
  __syncthreads();
  for (int width = threads / 2; width > 0; width /= 2) {
    if (t < width) room[t] = op(room[t], room[t + width]);
    __syncthreads();
  }
  const float all = room[0];
  __syncthreads();
  return all;
}

__global__ void __launch_bounds__(threads)
    cross_entropy(const float* __restrict__ x, const int* __restrict__ target, float* __restrict__ loss,
                  int V) {
  __shared__ float room[threads];
  const float* in = x + static_cast<size_t>(blockIdx.x) * V;
  float top = -INFINITY;
  for (int j = threadIdx.x; j < V; j += threads) top = fmaxf(top, in[j]);
  top = block_reduce(top, room, Max());
  float sum = 0;
  for (int j = threadIdx.x; j < V; j += threads) sum += expf(in[j] - top);
  sum = block_reduce(sum, room, Sum());
  if (threadIdx.x == 0) loss[blockIdx.x] = logf(sum) + (top - in[target[blockIdx.x]]);
}

extern "C" void solve(const float* x, const int* target, float* loss, int N, int V) {
  cross_entropy<<<N, threads>>>(x, target, loss, V);
}
