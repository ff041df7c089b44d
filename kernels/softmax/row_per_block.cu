// Strategies warp_shuffle_reduction, vectorized_access: one block a row, the row read once with float4 loads
// and kept in registers, so DRAM moves 8 bytes an element instead of up to 16 and accesses are coalesced.
// Rows over 8192 go through global memory three times.
#include <cuda_runtime.h>

constexpr int threads = 256;
constexpr int warps = threads / 32;

struct Max {
  __device__ static float empty() { return -INFINITY; }
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
  __device__ static float empty() { return 0.0f; }
  __device__ float operator()(float a, float b) const { return a + b; }
};

// The result is valid in every thread. `room` must not be in use by an earlier call without a barrier
// between.
template <class Op>
__device__ float block_reduce(float v, float* room, Op op) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) v = op(v, __shfl_xor_sync(0xffffffffu, v, step));
  if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = v;
  __syncthreads();
  float all = Op::empty();
#pragma unroll
  for (int w = 0; w < warps; ++w) all = op(all, room[w]);
  return all;
}

// Items values a thread; with Quad (D a multiple of 4) four of them are neighbours.
template <int Items, bool Quad>
__global__ void __launch_bounds__(threads)
    softmax_registers(const float* __restrict__ x, float* __restrict__ y, int D) {
  __shared__ float room[2][warps];
  const float* in = x + static_cast<size_t>(blockIdx.x) * D;
  float* out = y + static_cast<size_t>(blockIdx.x) * D;
  float v[Items];
  if (Quad) {
#pragma unroll
    for (int k = 0; k < Items; k += 4) {
      int j = k * threads + static_cast<int>(threadIdx.x) * 4;
      float4 q = make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
      if (j < D) q = *reinterpret_cast<const float4*>(in + j);
      v[k] = q.x, v[k + 1] = q.y, v[k + 2] = q.z, v[k + 3] = q.w;
    }
  } else {
#pragma unroll
    for (int k = 0; k < Items; ++k) {
      int j = k * threads + static_cast<int>(threadIdx.x);
      v[k] = j < D ? in[j] : -INFINITY;
    }
  }
  float top = -INFINITY;
#pragma unroll
  for (int k = 0; k < Items; ++k) top = fmaxf(top, v[k]);
  top = block_reduce(top, room[0], Max());
  float sum = 0;
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    v[k] = expf(v[k] - top);
    sum += v[k];
  }
  sum = block_reduce(sum, room[1], Sum());
  if (Quad) {
#pragma unroll
    for (int k = 0; k < Items; k += 4) {
      int j = k * threads + static_cast<int>(threadIdx.x) * 4;
      if (j < D) {
        *reinterpret_cast<float4*>(out + j) =
            make_float4(v[k] / sum, v[k + 1] / sum, v[k + 2] / sum, v[k + 3] / sum);
      }
    }
  } else {
#pragma unroll
    for (int k = 0; k < Items; ++k) {
      int j = k * threads + static_cast<int>(threadIdx.x);
      if (j < D) out[j] = v[k] / sum;
    }
  }
}

__global__ void __launch_bounds__(threads)
    softmax_long(const float* __restrict__ x, float* __restrict__ y, int D) {
  __shared__ float room[2][warps];
  const float* in = x + static_cast<size_t>(blockIdx.x) * D;
  float* out = y + static_cast<size_t>(blockIdx.x) * D;
  float top = -INFINITY;
  for (int j = threadIdx.x; j < D; j += threads) top = fmaxf(top, in[j]);
  top = block_reduce(top, room[0], Max());
  float sum = 0;
  for (int j = threadIdx.x; j < D; j += threads) sum += expf(in[j] - top);
  sum = block_reduce(sum, room[1], Sum());
  for (int j = threadIdx.x; j < D; j += threads) out[j] = expf(in[j] - top) / sum;
}

template <int Items>
void launch(const float* x, float* y, int N, int D) {
  if (D % 4 == 0) {
    softmax_registers<Items, true><<<N, threads>>>(x, y, D);
  } else {
    softmax_registers<Items, false><<<N, threads>>>(x, y, D);
  }
}

extern "C" void solve(const float* x, float* y, int N, int D) {
  if (D <= 4 * threads) {
    launch<4>(x, y, N, D);
  } else if (D <= 8 * threads) {
    launch<8>(x, y, N, D);
  } else if (D <= 16 * threads) {
    launch<16>(x, y, N, D);
  } else if (D <= 32 * threads) {
    launch<32>(x, y, N, D);
  } else {
    softmax_long<<<N, threads>>>(x, y, D);
  }
}
