// strategy: async_copy_pipeline
// after: vector_tile_swizzle.cu
// predicts: 0-5% at 8192 x 8192 (loads go on while a tile is written); no gain where blocks get 1-2 tiles
//
// Resident blocks walk over the tiles; cp.async fills two tiles while a third is written out. 16 warps times
// plain loads already cover the latency when eight blocks share an SM, so the gain is the missing pause only.
// Below sm_80 the copies are ordinary ones.
#include <cuda_runtime.h>

constexpr int tile_i = 64, tile_j = 64;  // rows and columns of x
constexpr int quads_i = tile_i / 4, quads_j = tile_j / 4;
constexpr int threads = 256;
constexpr int stages = 3;  // tiles in shared memory: one being written out, two under way

struct Origin {
  int i, j;
};

__device__ __forceinline__ Origin origin_of(unsigned tile, unsigned tiles_across) {
  return {static_cast<int>(tile / tiles_across) * tile_i, static_cast<int>(tile % tiles_across) * tile_j};
}

// Of float4 `quad` in a row of the tile. The threads of a quarter of a warp read every fourth row, so those
// rows differ in all eight 16-byte bank groups.
__device__ __forceinline__ int place(int row, int quad) { return row * quads_j + (quad ^ (row / 4 % 8)); }

// M and N are multiples of 4, so a quad is inside the matrix or outside, never cut.
__device__ __forceinline__ void fetch_quad(float4* to, const float4* from) {
#if __CUDA_ARCH__ >= 800
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
#else
  *to = *from;
#endif
}
__device__ __forceinline__ void end_group() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
// Until at most `Pending` of this thread's groups are under way.
template <int Pending>
__device__ __forceinline__ void wait_groups() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
#endif
}

// Starts the copies of one tile; quads outside the matrix are never read back.
__device__ __forceinline__ void fetch_tile(const float* __restrict__ x, float4* held, Origin o, int M,
                                           int N) {
  const int quad = threadIdx.x % quads_j, first = threadIdx.x / quads_j;
  constexpr int step = threads / quads_j;
#pragma unroll
  for (int r = first; r < tile_i; r += step) {
    const int i = o.i + r, j = o.j + quad * 4;
    if (i < M && j < N)
      fetch_quad(held + place(r, quad), reinterpret_cast<const float4*>(x + static_cast<size_t>(i) * N + j));
  }
}

// A thread turns blocks of 4 x 4 in registers; neighbouring threads write neighbouring quads of a row of y.
__device__ __forceinline__ void write_tile(float* __restrict__ y, const float4* held, Origin o, int M,
                                           int N) {
  const int quad = threadIdx.x % quads_i;
#pragma unroll
  for (int c = threadIdx.x / quads_i; c < quads_j; c += threads / quads_i) {
    const int i = o.i + quad * 4, j = o.j + c * 4;
    if (i >= M || j >= N) continue;
    float4 r[4];
#pragma unroll
    for (int e = 0; e < 4; ++e) r[e] = held[place(quad * 4 + e, c)];
    float* out = y + static_cast<size_t>(j) * M + i;
    const size_t row = static_cast<size_t>(M);
    *reinterpret_cast<float4*>(out) = make_float4(r[0].x, r[1].x, r[2].x, r[3].x);
    *reinterpret_cast<float4*>(out + row) = make_float4(r[0].y, r[1].y, r[2].y, r[3].y);
    *reinterpret_cast<float4*>(out + 2 * row) = make_float4(r[0].z, r[1].z, r[2].z, r[3].z);
    *reinterpret_cast<float4*>(out + 3 * row) = make_float4(r[0].w, r[1].w, r[2].w, r[3].w);
  }
}

__global__ void __launch_bounds__(threads)
    transpose_quads(const float* __restrict__ x, float* __restrict__ y, int M, int N, unsigned tiles_across,
                    unsigned tiles) {
  __shared__ float4 held[stages][tile_i * quads_j];
  // Tile number `turn` of this block, if there is one; a group is ended in any case, so that counts agree.
  auto fetch = [&](unsigned turn) {
    const unsigned tile = blockIdx.x + turn * gridDim.x;
    if (tile < tiles) fetch_tile(x, held[turn % stages], origin_of(tile, tiles_across), M, N);
    end_group();
  };
  for (unsigned turn = 0; turn < stages - 1; ++turn) fetch(turn);
  for (unsigned turn = 0; blockIdx.x + turn * gridDim.x < tiles; ++turn) {
    wait_groups<stages - 2>();
    __syncthreads();  // the tile has come for everybody, and everybody has left the slot that is filled next
    fetch(turn + stages - 1);
    write_tile(y, held[turn % stages], origin_of(blockIdx.x + turn * gridDim.x, tiles_across), M, N);
  }
}

// Where rows are not aligned to 16 bytes: element by element.
constexpr int small = 32, small_rows = 8;
__global__ void __launch_bounds__(small* small_rows)
    transpose_any(const float* __restrict__ x, float* __restrict__ y, int M, int N, unsigned tiles_across) {
  __shared__ float held[small][small + 1];
  const int j0 = static_cast<int>(blockIdx.x % tiles_across) * small;
  const int i0 = static_cast<int>(blockIdx.x / tiles_across) * small;
  const int tx = threadIdx.x, ty = threadIdx.y;
#pragma unroll
  for (int r = ty; r < small; r += small_rows) {
    if (i0 + r < M && j0 + tx < N) held[r][tx] = x[static_cast<size_t>(i0 + r) * N + j0 + tx];
  }
  __syncthreads();
#pragma unroll
  for (int r = ty; r < small; r += small_rows) {
    if (j0 + r < N && i0 + tx < M) y[static_cast<size_t>(j0 + r) * M + i0 + tx] = held[tx][r];
  }
}

unsigned pieces(int length, int piece) { return (static_cast<unsigned>(length) - 1) / piece + 1; }

// As many blocks as the device holds at once, at most `tiles`.
unsigned resident_blocks(unsigned tiles) {
  int device = 0, multiprocessors = 1, each = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, transpose_quads, threads, 0);
  const unsigned most = static_cast<unsigned>(multiprocessors * (each > 0 ? each : 1));
  return tiles < most ? tiles : most;
}

extern "C" void solve(const float* x, float* y, int M, int N) {
  if (M % 4 == 0 && N % 4 == 0) {
    const unsigned across = pieces(N, tile_j), tiles = across * pieces(M, tile_i);
    transpose_quads<<<resident_blocks(tiles), threads>>>(x, y, M, N, across, tiles);
  } else {
    const unsigned across = pieces(N, small);
    transpose_any<<<across * pieces(M, small), dim3(small, small_rows)>>>(x, y, M, N, across);
  }
}
