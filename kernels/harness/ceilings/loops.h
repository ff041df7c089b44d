// Kernels that do nothing but keep one unit of the device busy, for ceilings.cu. Every loop is bounded by its
// arguments, every result is written, and every operand is random: constant bits draw less power and so run
// at clocks that real work does not see.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

// wgmma exists in code for exactly sm_90a, not in code for sm_90.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define CEILINGS_WGMMA 1
#else
#define CEILINGS_WGMMA 0
#endif

namespace ceilings {

// Cycles and time that passed on one block's multiprocessor: together its clock.
struct Stamp {
  unsigned long long cycles, ns;
};

enum class Kind { f16, bf16, tf32 };

constexpr int threads = 256;       // of every kernel here
constexpr int copy_in_flight = 4;  // loads of 16 bytes under way in each thread
constexpr int read_in_flight = 8;
constexpr int fma_pairs = 8, fma_unroll = 16;
constexpr int mma_unroll = 4;
constexpr int wgmma_unroll = 4;  // tiles of 4 instructions each between two waits

// FLOP of one thread, warp or warpgroup in one round of the loops below; 2 an FMA.
constexpr double fma_flops = 2.0 * 2 * fma_pairs * fma_unroll;
__host__ __device__ constexpr int depth(Kind kind) {
  return kind == Kind::tf32 ? 8 : 16;
}  // k of one instruction
constexpr double mma_flops(Kind kind) { return 2.0 * 16 * 8 * depth(kind) * 8 * mma_unroll; }
constexpr double wgmma_flops(Kind kind) { return 2.0 * 64 * 256 * depth(kind) * 4 * wgmma_unroll; }

__host__ __device__ inline std::uint32_t scramble(std::uint32_t x) {
  x = (x + 0x7F4A7C15u) * 0x9E3779B1u;
  x = (x ^ (x >> 15)) * 0x85EBCA77u;
  return x ^ (x >> 13);
}

// 32 bits of operand: every number is +-[1/8, 2), from random sign, mantissa and low two bits of the
// exponent, the exponent's upper bits being fixed at 0.11..1. So no zero, no denormal, no infinity.
__device__ inline std::uint32_t operand(Kind kind, std::uint32_t seed) {
  std::uint32_t bits = scramble(seed);
  if (kind == Kind::f16) return (bits & 0x8FFF8FFFu) | 0x30003000u;
  if (kind == Kind::bf16) return (bits & 0x81FF81FFu) | 0x3E003E00u;
  return (bits & 0x81FFE000u) | 0x3E000000u;  // tf32: the low 13 bits of a float are not used
}

__device__ inline Stamp now() {
  Stamp s;
  s.cycles = static_cast<unsigned long long>(clock64());
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(s.ns));
  return s;
}

__device__ inline unsigned thread_id() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ inline void finish(Stamp start, float result, float* sink, Stamp* stamps) {
  sink[thread_id()] = result;
  if (threadIdx.x != 0) return;
  Stamp end = now();
  stamps[blockIdx.x] = {end.cycles - start.cycles, end.ns - start.ns};
}

// What this code was compiled for, which the host cannot tell from the device's name.
__global__ void describe(int* features) {
#if defined(__CUDA_ARCH__)
  features[0] = __CUDA_ARCH__;
#endif
  features[1] = CEILINGS_WGMMA;
}

__global__ void fill(uint4* data, std::size_t count) {
  for (std::size_t i = thread_id(); i < count; i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
    std::uint32_t x = scramble(static_cast<std::uint32_t>(i));
    data[i] = make_uint4(x, scramble(x + 1), scramble(x + 2), scramble(x + 3));
  }
}

// A tile is `in flight` vectors of each thread of a block; counts are multiples of a tile. ld/st.cs: evict
// first.
__global__ void __launch_bounds__(threads)
    copy_dram(const uint4* __restrict__ from, uint4* __restrict__ to, std::size_t count) {
  constexpr std::size_t tile = static_cast<std::size_t>(threads) * copy_in_flight;
  for (std::size_t base = blockIdx.x * tile; base < count; base += gridDim.x * tile) {
    uint4 v[copy_in_flight];
#pragma unroll
    for (int k = 0; k < copy_in_flight; ++k) v[k] = __ldcs(from + base + k * threads + threadIdx.x);
#pragma unroll
    for (int k = 0; k < copy_in_flight; ++k) __stcs(to + base + k * threads + threadIdx.x, v[k]);
  }
}

__device__ inline unsigned folded(const uint4 (&v)[read_in_flight]) {
  unsigned sum = 0;
#pragma unroll
  for (int k = 0; k < read_in_flight; ++k) sum ^= v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
  return sum;
}

__global__ void __launch_bounds__(threads)
    read_dram(const uint4* __restrict__ from, std::size_t count, unsigned* sink) {
  constexpr std::size_t tile = static_cast<std::size_t>(threads) * read_in_flight;
  unsigned sum = 0;
  for (std::size_t base = blockIdx.x * tile; base < count; base += gridDim.x * tile) {
    uint4 v[read_in_flight];
#pragma unroll
    for (int k = 0; k < read_in_flight; ++k) v[k] = __ldcs(from + base + k * threads + threadIdx.x);
    sum += folded(v);
  }
  if (sum == 0x9E3779B9u) *sink = sum;  // hardly ever true, but the compiler cannot know
}

// Reads `mask + 1` vectors (a power of two) over and over. ld.global.cg caches in L2 only; volatile, since
// the compiler may otherwise read each address once.
__global__ void __launch_bounds__(threads)
    read_l2(const uint4* from, unsigned mask, int rounds, unsigned* sink) {
  unsigned sum = 0, at = thread_id(), stride = gridDim.x * blockDim.x;
  for (int i = 0; i < rounds; ++i) {
    uint4 v[read_in_flight];
#pragma unroll
    for (int k = 0; k < read_in_flight; ++k, at += stride)
      asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(v[k].x), "=r"(v[k].y), "=r"(v[k].z), "=r"(v[k].w)
                   : "l"(from + (at & mask)));
    sum += folded(v);
  }
  if (sum == 0x9E3779B9u) *sink = sum;
}

// Pairs (x, y) turned by x += c y, y -= c x: two FMAs that keep x^2 + y^2 + c x y, so that values neither
// grow nor settle on a constant, for any 0 < c < 2.
template <class T>
__global__ void __launch_bounds__(threads) fma_loop(int rounds, float* sink, Stamp* stamps) {
  T x[fma_pairs], y[fma_pairs];
  const T c = T(0.3) + T(scramble(thread_id()) & 0xFFFF) * T(0.5 / 65536);
#pragma unroll
  for (int p = 0; p < fma_pairs; ++p) {
    x[p] = T(1) + T(scramble(thread_id() * fma_pairs + p) & 0xFFFF) * T(1.0 / 65536);
    y[p] = T(scramble(~(thread_id() * fma_pairs + p)) & 0xFFFF) * T(1.0 / 65536);
  }
  Stamp start = now();
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int u = 0; u < fma_unroll; ++u) {
#pragma unroll
      for (int p = 0; p < fma_pairs; ++p) x[p] = fma(c, y[p], x[p]);
#pragma unroll
      for (int p = 0; p < fma_pairs; ++p) y[p] = fma(-c, x[p], y[p]);
    }
  }
  T sum = 0;
#pragma unroll
  for (int p = 0; p < fma_pairs; ++p) sum += x[p] * x[p] + y[p] * y[p];
  finish(start, static_cast<float>(sum), sink, stamps);
}

// One m16n8 product of a warp, k = depth(kind), f32 accumulators.
template <Kind kind>
__device__ inline void mma(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define CEILINGS_MMA(SHAPE, TYPE)                                                     \
  asm volatile("mma.sync.aligned." SHAPE ".row.col.f32." TYPE "." TYPE                \
               ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                       \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
  if constexpr (kind == Kind::f16) CEILINGS_MMA("m16n8k16", "f16");
  if constexpr (kind == Kind::bf16) CEILINGS_MMA("m16n8k16", "bf16");
  if constexpr (kind == Kind::tf32) CEILINGS_MMA("m16n8k8", "tf32");
#undef CEILINGS_MMA
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
  if constexpr (kind == Kind::f16)  // sm_75 has k = 8 only, and no other type: twice
#pragma unroll
    for (int k = 0; k < 2; ++k)
      asm volatile(
          "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, "
          "%3};"
          : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
          : "r"(a[2 * k]), "r"(a[2 * k + 1]), "r"(b[k]));
#endif
}

// Each warp: 2 x 4 tiles of products from registers. Sums grow by less than 256 a round.
template <Kind kind>
__global__ void __launch_bounds__(threads) mma_loop(int rounds, float* sink, Stamp* stamps) {
  std::uint32_t a[2][4], b[4][2];
  float d[8][4] = {};
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    a[i / 4][i % 4] = operand(kind, thread_id() * 16 + i);
    b[i / 2][i % 2] = operand(kind, thread_id() * 16 + 8 + i);
  }
  Stamp start = now();
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int u = 0; u < mma_unroll * 8; ++u) mma<kind>(d[u % 8], a[u % 8 / 4], b[u % 4]);
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 32; ++i) sum += fabsf(d[i / 4][i % 4]);
  finish(start, sum, sink, stamps);
}

// The tensor cores of sm_90a by wgmma.mma_async, which alone reaches their full rate; mma.sync gets about two
// thirds.
//
// Operands lie in shared memory as tiles of rows of 128 bytes (64 numbers of 16 bits or 32 of 32 bits),
// K-major, in the 128-byte swizzle: groups of 8 rows, 1024 bytes each, one after another. One tile of B for
// the block, and a tile of A for each of its warpgroups. The content being random, the swizzle permutes
// random numbers.
constexpr unsigned row_bytes = 128, group_bytes = 8 * row_bytes;
constexpr unsigned a_bytes = 64 * row_bytes, b_bytes = 256 * row_bytes;
constexpr unsigned wgmma_shared = b_bytes + threads / 128 * a_bytes;
static_assert(wgmma_shared <= 48 * 1024, "more needs cudaFuncSetAttribute");

#if CEILINGS_WGMMA
// Matrix descriptor (PTX ISA, "Asynchronous warpgroup level matrix shared memory layout"): bits 0-13 address
// / 16, 16-29 leading offset / 16 (not used by swizzled K-major operands; 1 by convention), 32-45 stride
// offset / 16: from one group of 8 rows to the next, 49-51 base offset (0: groups start at multiples of 1024
// bytes), 62-63 swizzle (1: 128 bytes).
__device__ inline std::uint64_t descriptor(std::uint32_t address) {
  return (static_cast<std::uint64_t>(1) << 62) | (static_cast<std::uint64_t>(group_bytes >> 4) << 32) |
         (static_cast<std::uint64_t>(1) << 16) | ((address & 0x3FFFFu) >> 4);
}

// m64n256: each thread of the warpgroup holds 128 sums.
#define CEILINGS_TEN(X) \
  "%" #X "0,%" #X "1,%" #X "2,%" #X "3,%" #X "4,%" #X "5,%" #X "6,%" #X "7,%" #X "8,%" #X "9,"
#define CEILINGS_SUMS                                                                                \
  "{" CEILINGS_TEN() CEILINGS_TEN(1) CEILINGS_TEN(2) CEILINGS_TEN(3) CEILINGS_TEN(4) CEILINGS_TEN(5) \
      CEILINGS_TEN(6) CEILINGS_TEN(7) CEILINGS_TEN(8) CEILINGS_TEN(9) CEILINGS_TEN(10)               \
          CEILINGS_TEN(11) "%120,%121,%122,%123,%124,%125,%126,%127}"
#define CEILINGS_F4(I) "+f"(d[I]), "+f"(d[I + 1]), "+f"(d[I + 2]), "+f"(d[I + 3])
#define CEILINGS_F16(I) CEILINGS_F4(I), CEILINGS_F4(I + 4), CEILINGS_F4(I + 8), CEILINGS_F4(I + 12)
// D = A B + D, or A B where `add` is 0; both operands times +1, and as they lie (16 bits: not transposed).
#define CEILINGS_PRODUCT(SHAPE, TYPE, TRANSPOSE)                                                 \
  asm volatile(                                                                                  \
      "{\n.reg .pred p;\nsetp.ne.s32 p, %130, 0;\n"                                              \
      "wgmma.mma_async.sync.aligned." SHAPE ".f32." TYPE "." TYPE " " CEILINGS_SUMS              \
      ", %128, %129, p, 1, 1" TRANSPOSE ";\n}"                                                   \
      : CEILINGS_F16(0), CEILINGS_F16(16), CEILINGS_F16(32), CEILINGS_F16(48), CEILINGS_F16(64), \
        CEILINGS_F16(80), CEILINGS_F16(96), CEILINGS_F16(112)                                    \
      : "l"(a), "l"(b), "r"(add))

template <Kind kind>
__device__ inline void product(float (&d)[128], std::uint64_t a, std::uint64_t b, int add) {
  if constexpr (kind == Kind::f16) CEILINGS_PRODUCT("m64n256k16", "f16", ", 0, 0");
  if constexpr (kind == Kind::bf16) CEILINGS_PRODUCT("m64n256k16", "bf16", ", 0, 0");
  if constexpr (kind == Kind::tf32) CEILINGS_PRODUCT("m64n256k8", "tf32", "");
}
#endif

// Two warpgroups a block, one block a multiprocessor: while one waits for its sums the other's products run.
// Sums start anew every 16 rounds, as in a product of depth 4096 (tf32: 2048).
template <Kind kind>
__global__ void __launch_bounds__(threads, 1) wgmma_loop(int rounds, float* sink, Stamp* stamps) {
#if CEILINGS_WGMMA
  extern __shared__ __align__(1024) std::uint32_t tiles[];
  for (unsigned i = threadIdx.x; i < wgmma_shared / 4; i += blockDim.x)
    tiles[i] = operand(kind, blockIdx.x * (wgmma_shared / 4) + i);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // wgmma reads what ordinary stores wrote
  __syncthreads();
  const std::uint32_t base = static_cast<std::uint32_t>(__cvta_generic_to_shared(tiles));
  const std::uint64_t b = descriptor(base), a = descriptor(base + b_bytes + threadIdx.x / 128 * a_bytes);
  float d[128] = {};
  Stamp start = now();
  for (int i = 0; i < rounds; ++i) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int u = 0; u < wgmma_unroll * 4; ++u) {
      const int k = u % 4 * 2;  // each instruction takes 32 bytes of the rows: 2 in units of 16 bytes
      product<kind>(d, a + k, b + k, u > 0 || i % 16 != 0);
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 128; ++i) sum += fabsf(d[i]);
  finish(start, sum, sink, stamps);
#endif
}

}  // namespace ceilings
