// strategy: tma_loads
// after: persistent.cu
// predicts: 3-8% for D 2048 to 8192: 200 KB an SM in flight; level with fast_exp.cu, DRAM is the limit
//
// Rows arrive in shared memory by bulk copies of the TMA engine, two ahead, and are announced by mbarriers;
// threads only compute and store. Rows of odd length, and rows of up to 1024 or over 8192 elements, keep
// the path of persistent.cu.
#include <cuda_runtime.h>

#include "../lib/reduce.cuh"
#include "../lib/rows.cuh"

constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr int stages = 2;  // rows on the way

template <int Items>
__device__ __forceinline__ float largest(const float (&v)[Items]) {
  float top = -INFINITY;
#pragma unroll
  for (int k = 0; k < Items; ++k) top = fmaxf(top, v[k]);
  return top;
}

// Replaces v by exp(v - top) and returns the sum.
template <int Items>
__device__ __forceinline__ float exponentials(float (&v)[Items], float top) {
  float sum = 0;
#pragma unroll
  for (int k = 0; k < Items; ++k) {
    v[k] = __expf(v[k] - top);
    sum += v[k];
  }
  return sum;
}

template <int Items>
__device__ __forceinline__ void divide(float (&v)[Items], float sum) {
  const float factor = 1.0f / sum;
#pragma unroll
  for (int k = 0; k < Items; ++k) v[k] *= factor;
}

template <int Items, bool Quad>
__global__ void __launch_bounds__(threads)
    softmax_registers(const float* __restrict__ x, float* __restrict__ y, int N, int D) {
  __shared__ float room[2][warps];  // each is written again only behind the barrier of the other
  for (int row = blockIdx.x; row < N; row += gridDim.x) {
    const size_t start = static_cast<size_t>(row) * D;
    float v[Items];
    load_row<threads, Quad>(x + start, threadIdx.x, D, v);
    const float top = block_reduce<threads>(largest(v), room[0], Max());
    const float sum = block_reduce<threads>(exponentials(v, top), room[1], Sum());
    divide(v, sum);
    store_row<threads, Quad>(y + start, threadIdx.x, D, v);
  }
}

// A row a warp: no barrier, no shared memory.
template <int Items, bool Quad>
__global__ void __launch_bounds__(threads)
    softmax_warp(const float* __restrict__ x, float* __restrict__ y, int N, int D) {
  const int lane = threadIdx.x % 32;
  const int first = static_cast<int>(blockIdx.x) * warps + static_cast<int>(threadIdx.x) / 32;
  for (int row = first; row < N; row += static_cast<int>(gridDim.x) * warps) {
    const size_t start = static_cast<size_t>(row) * D;
    float v[Items];
    load_row<32, Quad>(x + start, lane, D, v);
    const float top = warp_reduce(largest(v), Max());
    const float sum = warp_reduce(exponentials(v, top), Sum());
    divide(v, sum);
    store_row<32, Quad>(y + start, lane, D, v);
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
template <int Items>
__global__ void __launch_bounds__(threads)
    softmax_queue(const float* __restrict__ x, float* __restrict__ y, int N, int D) {
  extern __shared__ __align__(16) float slots[];
  __shared__ unsigned long long filled[stages];
  __shared__ float room[2][warps];  // each is written again only behind the barrier of the other
  Rows rows = {slots, filled, x, N, D};
  rows.start();
  int slot = 0, turn = 0;
  for (int row = blockIdx.x; row < N; row += gridDim.x) {
    float v[Items];
    load_row<threads, true>(rows.row(row, slot, turn), threadIdx.x, D, v);
    const float top = block_reduce<threads>(largest(v), room[0], Max());
    // Behind the barrier of that reduction all threads have taken their values out of the slot.
    rows.fetch(static_cast<long long>(row) + static_cast<long long>(stages) * gridDim.x, slot);
    const float sum = block_reduce<threads>(exponentials(v, top), room[1], Sum());
    divide(v, sum);
    store_row<threads, true>(y + static_cast<size_t>(row) * D, threadIdx.x, D, v);
    if (++slot == stages) slot = 0, ++turn;
  }
}

__global__ void __launch_bounds__(threads)
    softmax_long(const float* __restrict__ x, float* __restrict__ y, int D) {
  __shared__ float room[2][warps];
  const float* in = x + static_cast<size_t>(blockIdx.x) * D;
  float* out = y + static_cast<size_t>(blockIdx.x) * D;
  float top = -INFINITY;
  for (int j = threadIdx.x; j < D; j += threads) top = fmaxf(top, in[j]);
  top = block_reduce<threads>(top, room[0], Max());
  float sum = 0;
  for (int j = threadIdx.x; j < D; j += threads) sum += __expf(in[j] - top);
  sum = block_reduce<threads>(sum, room[1], Sum());
  for (int j = threadIdx.x; j < D; j += threads) out[j] = __expf(in[j] - top) / sum;
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
template <int Items>
bool launch_queue(const float* x, float* y, int N, int D) {
  const int bytes = stages * D * static_cast<int>(sizeof(float));
  if (cudaFuncSetAttribute(softmax_queue<Items>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) !=
      cudaSuccess) {
    cudaGetLastError();  // not an error of ours
    return false;
  }
  softmax_queue<Items><<<resident(softmax_queue<Items>, N, bytes), threads, bytes>>>(x, y, N, D);
  return true;
}

template <int Items>
void launch(const float* x, float* y, int N, int D) {
  if (D % 4 == 0 && launch_queue<Items>(x, y, N, D)) return;
  auto kernel = D % 4 == 0 ? softmax_registers<Items, true> : softmax_registers<Items, false>;
  kernel<<<resident(kernel, N), threads>>>(x, y, N, D);
}

template <int Items>
void launch_warp(const float* x, float* y, int N, int D) {
  auto kernel = D % 4 == 0 ? softmax_warp<Items, true> : softmax_warp<Items, false>;
  kernel<<<resident(kernel, (N - 1) / warps + 1), threads>>>(x, y, N, D);
}

extern "C" void solve(const float* x, float* y, int N, int D) {
  if (D <= 4 * 32) {
    launch_warp<4>(x, y, N, D);
  } else if (D <= 8 * 32) {
    launch_warp<8>(x, y, N, D);
  } else if (D <= 16 * 32) {
    launch_warp<16>(x, y, N, D);
  } else if (D <= 32 * 32) {
    launch_warp<32>(x, y, N, D);
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
