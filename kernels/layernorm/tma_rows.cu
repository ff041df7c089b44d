// strategy: tma_loads
// after: persistent.cu
// predicts: 3-10% for D 2048 to 8192 (two rows a block on their way); level with warp_per_row.cu
//
// Rows arrive in shared memory by bulk copies of the TMA engine, two ahead, and are announced by mbarriers;
// threads only compute and store. Rows of odd length, and rows of up to 1024 or over 8192 elements, keep
// the path of persistent.cu.
#include <cuda_runtime.h>

#include "../lib/quads.cuh"
#include "../lib/reduce.cuh"
#include "../lib/rows.cuh"

constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr int stages = 2;  // rows on the way

__device__ __forceinline__ float4 quad_less(float4 v, float mean) {
  return make_float4(v.x - mean, v.y - mean, v.z - mean, v.w - mean);
}
__device__ __forceinline__ float4 quad_result(float4 v, float scale, float4 w, float4 b) {
  return make_float4(v.x * scale * w.x + b.x, v.y * scale * w.y + b.y, v.z * scale * w.z + b.z,
                     v.w * scale * w.w + b.w);
}

// Beyond the row zeros stay zeros.
template <int Width, int Quads>
__device__ __forceinline__ void subtract(float4 (&v)[Quads], float mean, int lane, int quads) {
#pragma unroll
  for (int k = 0; k < Quads; ++k) {
    if (k * Width + lane < quads) v[k] = quad_less(v[k], mean);
  }
}

template <int Width, int Quads>
__device__ __forceinline__ void store_row(float4* out, int lane, int quads, const float4 (&v)[Quads],
                                          float scale, const float4 (&w)[Quads], const float4 (&b)[Quads]) {
#pragma unroll
  for (int k = 0; k < Quads; ++k) {
    const int j = k * Width + lane;
    if (j < quads) out[j] = quad_result(v[k], scale, w[k], b[k]);
  }
}

// D a multiple of 4, at most Quads * 4 * threads.
template <int Quads>
__global__ void __launch_bounds__(threads)
    layernorm_registers(const float* __restrict__ x, const float* __restrict__ weight,
                        const float* __restrict__ bias, float* __restrict__ y, int N, int D, float eps) {
  __shared__ float room[2][warps];  // each is written again only behind the barrier of the other
  const float4* w4 = reinterpret_cast<const float4*>(weight);
  const float4* b4 = reinterpret_cast<const float4*>(bias);
  const int quads = D / 4, t = threadIdx.x;
  float4 w[Quads];
  float4 b[Quads];
  load_row<threads>(w4, t, quads, w);
  load_row<threads>(b4, t, quads, b);
  for (int row = blockIdx.x; row < N; row += gridDim.x) {
    const float4* in = reinterpret_cast<const float4*>(x + static_cast<size_t>(row) * D);
    float4* out = reinterpret_cast<float4*>(y + static_cast<size_t>(row) * D);
    float4 v[Quads];
    load_row<threads>(in, t, quads, v);
    const float mean = block_sum<threads>(total(v), room[0]) / D;
    subtract<threads>(v, mean, t, quads);
    const float scale = 1.0f / sqrtf(block_sum<threads>(squares(v), room[1]) / D + eps);
    store_row<threads>(out, t, quads, v, scale, w, b);
  }
}

// A row a warp: no barrier, no shared memory. D a multiple of 4, at most Quads * 4 * 32.
template <int Quads>
__global__ void __launch_bounds__(threads)
    layernorm_warp(const float* __restrict__ x, const float* __restrict__ weight,
                   const float* __restrict__ bias, float* __restrict__ y, int N, int D, float eps) {
  const float4* w4 = reinterpret_cast<const float4*>(weight);
  const float4* b4 = reinterpret_cast<const float4*>(bias);
  const int quads = D / 4, lane = threadIdx.x % 32;
  const int first = static_cast<int>(blockIdx.x) * warps + static_cast<int>(threadIdx.x) / 32;
  float4 w[Quads];
  float4 b[Quads];
  load_row<32>(w4, lane, quads, w);
  load_row<32>(b4, lane, quads, b);
  for (int row = first; row < N; row += static_cast<int>(gridDim.x) * warps) {
    const float4* in = reinterpret_cast<const float4*>(x + static_cast<size_t>(row) * D);
    float4* out = reinterpret_cast<float4*>(y + static_cast<size_t>(row) * D);
    float4 v[Quads];
    load_row<32>(in, lane, quads, v);
    const float mean = warp_sum(total(v)) / D;
    subtract<32>(v, mean, lane, quads);
    const float scale = 1.0f / sqrtf(warp_sum(squares(v)) / D + eps);
    store_row<32>(out, lane, quads, v, scale, w, b);
  }
}

// Two rows of shared memory that the copy engine fills ahead of use. Without the engine (before sm_90) a row
// is read from global memory when its turn comes.
struct Rows {
  float* slots;
  unsigned long long* filled;  // a barrier a slot
  const float* x;
  int N, D;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  __device__ static unsigned address(const void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
  }

  __device__ void start() {
    if (threadIdx.x == 0) {
      for (int s = 0; s < stages; ++s) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(&filled[s])) : "memory");
      }
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");  // the copy engine sees them
    }
    __syncthreads();
    for (int s = 0; s < stages; ++s) fetch(blockIdx.x + s * gridDim.x, s);
  }
  // Orders a row into a slot that no thread reads any more.
  __device__ void fetch(long long row, int slot) {
    if (threadIdx.x != 0 || row >= N) return;
    const unsigned bytes = static_cast<unsigned>(D) * sizeof(float);
    const unsigned barrier = address(&filled[slot]);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            address(slots + slot * D)),
        "l"(__cvta_generic_to_global(x + row * D)), "r"(bytes), "r"(barrier)
        : "memory");
  }
  // Waits for the slot to be filled for the turn-th time.
  __device__ const float* row(int, int slot, int turn) const {
    unsigned done = 0;
    while (done == 0) {
      asm volatile(
          "{\n.reg .pred p;\n"
          "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
          "selp.u32 %0, 1, 0, p;\n}"
          : "=r"(done)
          : "r"(address(&filled[slot])), "r"(static_cast<unsigned>(turn & 1))
          : "memory");
    }
    return slots + slot * D;
  }
#else
  __device__ void start() {}
  __device__ void fetch(long long, int) {}
  __device__ const float* row(int row, int, int) const { return x + static_cast<size_t>(row) * D; }
#endif
};

// D a multiple of 4: the engine copies multiples of 16 bytes.
template <int Quads>
__global__ void __launch_bounds__(threads)
    layernorm_queue(const float* __restrict__ x, const float* __restrict__ weight,
                    const float* __restrict__ bias, float* __restrict__ y, int N, int D, float eps) {
  extern __shared__ __align__(16) float slots[];
  __shared__ unsigned long long filled[stages];
  __shared__ float room[2][warps];  // each is written again only behind the barrier of the other
  const float4* w4 = reinterpret_cast<const float4*>(weight);
  const float4* b4 = reinterpret_cast<const float4*>(bias);
  const int quads = D / 4, t = threadIdx.x;
  Rows rows = {slots, filled, x, N, D};
  rows.start();
  float4 w[Quads];
  float4 b[Quads];
  load_row<threads>(w4, t, quads, w);
  load_row<threads>(b4, t, quads, b);
  int slot = 0, round = 0;
  for (int row = blockIdx.x; row < N; row += gridDim.x) {
    const float4* in = reinterpret_cast<const float4*>(rows.row(row, slot, round));
    float4* out = reinterpret_cast<float4*>(y + static_cast<size_t>(row) * D);
    float4 v[Quads];
    load_row<threads>(in, t, quads, v);
    const float mean = block_sum<threads>(total(v), room[0]) / D;
    // Behind the barrier of that sum all threads have taken their values out of the slot.
    rows.fetch(static_cast<long long>(row) + static_cast<long long>(stages) * gridDim.x, slot);
    subtract<threads>(v, mean, t, quads);
    const float scale = 1.0f / sqrtf(block_sum<threads>(squares(v), room[1]) / D + eps);
    store_row<threads>(out, t, quads, v, scale, w, b);
    if (++slot == stages) slot = 0, ++round;
  }
}

__global__ void __launch_bounds__(threads)
    layernorm_any(const float* __restrict__ x, const float* __restrict__ weight,
                  const float* __restrict__ bias, float* __restrict__ y, int D, float eps) {
  __shared__ float room[2][warps];
  const float* in = x + static_cast<size_t>(blockIdx.x) * D;
  float* out = y + static_cast<size_t>(blockIdx.x) * D;
  float sum = 0;
  for (int j = threadIdx.x; j < D; j += threads) sum += in[j];
  const float mean = block_sum<threads>(sum, room[0]) / D;
  float squares = 0;
  for (int j = threadIdx.x; j < D; j += threads) squares += square(in[j] - mean);
  const float scale = 1.0f / sqrtf(block_sum<threads>(squares, room[1]) / D + eps);
  for (int j = threadIdx.x; j < D; j += threads) out[j] = (in[j] - mean) * scale * weight[j] + bias[j];
}

// As many blocks as the GPU holds at once, but no more than there is work for.
template <class Kernel>
int resident(Kernel kernel, int wanted, int shared_bytes = 0) {
  int device = 0, multiprocessors = 1, each = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, threads, shared_bytes);
  const int most = multiprocessors * (each > 0 ? each : 1);
  return wanted < most ? wanted : most;
}

// False where a block does not get the shared memory.
template <int Quads>
bool launch_queue(const float* x, const float* weight, const float* bias, float* y, int N, int D, float eps) {
  const int bytes = stages * D * static_cast<int>(sizeof(float));
  if (cudaFuncSetAttribute(layernorm_queue<Quads>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) !=
      cudaSuccess) {
    cudaGetLastError();  // not an error of ours
    return false;
  }
  layernorm_queue<Quads>
      <<<resident(layernorm_queue<Quads>, N, bytes), threads, bytes>>>(x, weight, bias, y, N, D, eps);
  return true;
}

template <int Quads>
void launch(const float* x, const float* weight, const float* bias, float* y, int N, int D, float eps) {
  if (launch_queue<Quads>(x, weight, bias, y, N, D, eps)) return;
  layernorm_registers<Quads>
      <<<resident(layernorm_registers<Quads>, N), threads>>>(x, weight, bias, y, N, D, eps);
}

template <int Quads>
void launch_warp(const float* x, const float* weight, const float* bias, float* y, int N, int D, float eps) {
  const int blocks = resident(layernorm_warp<Quads>, (N - 1) / warps + 1);
  layernorm_warp<Quads><<<blocks, threads>>>(x, weight, bias, y, N, D, eps);
}

extern "C" void solve(const float* x, const float* weight, const float* bias, float* y, int N, int D,
                      float eps) {
  if (D % 4 != 0 || D > 32 * threads) {
    layernorm_any<<<N, threads>>>(x, weight, bias, y, D, eps);
  } else if (D <= 4 * 32) {
    launch_warp<1>(x, weight, bias, y, N, D, eps);
  } else if (D <= 8 * 32) {
    launch_warp<2>(x, weight, bias, y, N, D, eps);
  } else if (D <= 16 * 32) {
    launch_warp<4>(x, weight, bias, y, N, D, eps);
  } else if (D <= 32 * 32) {
    launch_warp<8>(x, weight, bias, y, N, D, eps);
  } else if (D <= 8 * threads) {
    launch<2>(x, weight, bias, y, N, D, eps);
  } else if (D <= 16 * threads) {
    launch<4>(x, weight, bias, y, N, D, eps);
  } else {
    launch<8>(x, weight, bias, y, N, D, eps);
  }
}
