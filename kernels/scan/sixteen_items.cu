// strategy: increase_ilp
// after: vectorized.cu
// predicts: 10-30% from 2^24 up: four int4s in flight a thread, a quarter of the totals in between
//
// Four rounds of four neighbours a thread; a warp owns 512 neighbouring elements and carries its sum from
// round to round, so the block meets once for 4096 elements.
#include <cuda_runtime.h>

constexpr int threads = 256;
constexpr int rounds = 4;  // of four neighbours a thread
constexpr int totals_threads = 1024;
constexpr int warp_tile = 32 * 4 * rounds;
constexpr int tile = threads / 32 * warp_tile;

__device__ __forceinline__ int warp_inclusive(int v) {
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const int before = __shfl_up_sync(0xffffffffu, v, distance);
    if (threadIdx.x % 32 >= distance) v += before;
  }
  return v;
}

// The sum up to and with this thread's v; `room` holds one number a warp.
template <int Threads>
__device__ int block_inclusive(int v, int* room) {
  constexpr int warps = Threads / 32;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  v = warp_inclusive(v);
  if (lane == 31) room[warp] = v;
  __syncthreads();
  const int sums = warp_inclusive(lane < warps ? room[lane] : 0);  // in every warp: cheaper than a barrier
  return v + __shfl_sync(0xffffffffu, warp == 0 ? 0 : sums, warp == 0 ? 0 : warp - 1);
}

// Buffers start at a multiple of 16 bytes and `first` is one of 4.
__device__ __forceinline__ void load(int (&v)[4], const int* __restrict__ x, long long first, int N) {
  if (first + 4 <= N) {
    const int4 q = *reinterpret_cast<const int4*>(x + first);
    v[0] = q.x, v[1] = q.y, v[2] = q.z, v[3] = q.w;
    return;
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) v[k] = first + k < N ? x[first + k] : 0;
}

__device__ __forceinline__ void store(const int (&v)[4], int* __restrict__ y, long long first, int N) {
  if (first + 4 <= N) {
    *reinterpret_cast<int4*>(y + first) = make_int4(v[0], v[1], v[2], v[3]);
    return;
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (first + k < N) y[first + k] = v[k];
  }
}

// Where this thread's first four elements are; those of the next round lie 128 further.
__device__ __forceinline__ long long first_of(long long tile_index) {
  return tile_index * tile + threadIdx.x / 32 * warp_tile + threadIdx.x % 32 * 4;
}

__device__ __forceinline__ void load_tile(int (&v)[rounds][4], const int* __restrict__ x, long long first,
                                          int N) {
#pragma unroll
  for (int r = 0; r < rounds; ++r) load(v[r], x, first + r * 128, N);
}

__device__ __forceinline__ void store_tile(int (&v)[rounds][4], int before, int* __restrict__ y,
                                           long long first, int N) {
#pragma unroll
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int k = 0; k < 4; ++k) v[r][k] += before;
    store(v[r], y, first + r * 128, N);
  }
}

// Scans the warp's elements in place and gives their sum to all lanes.
__device__ __forceinline__ int scan_warp_tile(int (&v)[rounds][4]) {
  int carry = 0;
#pragma unroll
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int k = 1; k < 4; ++k) v[r][k] += v[r][k - 1];
    const int sum = warp_inclusive(v[r][3]), before = carry + sum - v[r][3];
#pragma unroll
    for (int k = 0; k < 4; ++k) v[r][k] += before;
    carry += __shfl_sync(0xffffffffu, sum, 31);
  }
  return carry;
}

struct Sums {
  int before, all;  // of the warps before this one, and of the whole tile
};

// From each warp's sum; `room` holds one number a warp.
__device__ __forceinline__ Sums block_sums(int warp_sum, int* room) {
  if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = warp_sum;
  __syncthreads();
  Sums s = {0, 0};
#pragma unroll
  for (int w = 0; w < threads / 32; ++w) {
    if (w == threadIdx.x / 32) s.before = s.all;
    s.all += room[w];
  }
  return s;
}

__global__ void __launch_bounds__(threads)
    scan_tiles(const int* __restrict__ x, int* __restrict__ y, int* totals, int N) {
  __shared__ int room[threads / 32];
  const long long first = first_of(blockIdx.x);
  int v[rounds][4];
  load_tile(v, x, first, N);
  const Sums sums = block_sums(scan_warp_tile(v), room);
  store_tile(v, sums.before, y, first, N);
  if (threadIdx.x == 0) totals[blockIdx.x] = sums.all;
}

// Makes of the tiles' totals the sums of all tiles before. One block, so tile after tile of totals.
__global__ void __launch_bounds__(totals_threads) scan_totals(int* totals, int tiles) {
  __shared__ int room[totals_threads / 32];
  __shared__ int all;
  const int t = threadIdx.x;
  int carry = 0;
  for (int first = 0; first < tiles; first += totals_threads) {
    const int v = first + t < tiles ? totals[first + t] : 0;
    const int sum = block_inclusive<totals_threads>(v, room);
    if (first + t < tiles) totals[first + t] = carry + sum - v;
    if (t == totals_threads - 1) all = sum;
    __syncthreads();
    carry += all;
    __syncthreads();  // before `all` and `room` are written again
  }
}

__global__ void __launch_bounds__(threads) add_offsets(int* y, const int* totals, int N) {
  const long long first = first_of(blockIdx.x);
  const int before = totals[blockIdx.x];
  int v[rounds][4];
  load_tile(v, y, first, N);
  store_tile(v, before, y, first, N);
}

extern "C" void solve(const int* x, int* y, int* work, int N) {
  const int tiles = (N - 1) / tile + 1;
  scan_tiles<<<tiles, threads>>>(x, y, work, N);
  if (tiles == 1) return;
  scan_totals<<<1, totals_threads>>>(work, tiles);
  add_offsets<<<tiles, threads>>>(y, work, N);
}
