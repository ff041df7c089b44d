// strategy: wave_quantization_fix
// after: two_stage.cu
// predicts: 0-3% from 2^26 up: 1024 blocks on 132 SMs give some seven and some eight; now all hold the same
//
// As many blocks as the device can hold, which the occupancy calculator says, instead of a round number.
#include <cuda_runtime.h>

constexpr int threads = 256;
constexpr int most_blocks = 2048;  // elements of the workspace
constexpr int last_threads = most_blocks / 2;
constexpr int in_flight = 4;

// Valid in thread 0.
template <int Threads>
__device__ float block_sum(float v) {
  __shared__ float room[Threads / 32];
#pragma unroll
  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(0xffffffffu, v, step);
  if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x >= 32) return v;
  v = threadIdx.x < Threads / 32 ? room[threadIdx.x] : 0.0f;
#pragma unroll
  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(0xffffffffu, v, step);
  return v;
}

__global__ void __launch_bounds__(threads)
    sum_parts(const float* __restrict__ x, float* __restrict__ partial, int N) {
  const float4* x4 = reinterpret_cast<const float4*>(x);
  const long long quads = N / 4;
  const long long stride = static_cast<long long>(gridDim.x) * threads;
  const long long me = static_cast<long long>(blockIdx.x) * threads + threadIdx.x;
  float sum[in_flight] = {};
  long long i = me;
#pragma unroll 1
  for (; i + (in_flight - 1) * stride < quads; i += in_flight * stride) {
    float4 v[in_flight];
#pragma unroll
    for (int k = 0; k < in_flight; ++k) v[k] = x4[i + k * stride];
#pragma unroll
    for (int k = 0; k < in_flight; ++k) sum[k] += (v[k].x + v[k].y) + (v[k].z + v[k].w);
  }
#pragma unroll 1
  for (; i < quads; i += stride) {
    const float4 v = x4[i];
    sum[0] += (v.x + v.y) + (v.z + v.w);
  }
  if (me < N - quads * 4) sum[1] += x[quads * 4 + me];
  const float total = block_sum<threads>((sum[0] + sum[1]) + (sum[2] + sum[3]));
  if (threadIdx.x == 0) partial[blockIdx.x] = total;
}

__global__ void __launch_bounds__(last_threads) sum_partials(const float* partial, float* y, int count) {
  const int t = threadIdx.x;
  const float low = t < count ? partial[t] : 0.0f;
  const float high = t + last_threads < count ? partial[t + last_threads] : 0.0f;
  const float total = block_sum<last_threads>(low + high);
  if (t == 0) *y = total;
}

// Blocks that the device holds at once, at most those that have work or a place in the workspace.
int chosen_blocks(int wanted) {
  int device = 0, multiprocessors = 1, each = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, sum_parts, threads, 0);
  if (each < 1) each = 1;
  const int most = multiprocessors * each < most_blocks ? multiprocessors * each : most_blocks;
  return wanted < most ? wanted : most;
}

extern "C" void solve(const float* x, float* y, float* partial, int N) {
  const int wanted = (N - 1) / (threads * 4) + 1;
  const int blocks = chosen_blocks(wanted);
  sum_parts<<<blocks, threads>>>(x, partial, N);
  sum_partials<<<1, last_threads>>>(partial, y, blocks);
}
