// wgmma: products of a warpgroup whose operands lie in shared memory in the 128-byte swizzle. Needs sm_90a.
#pragma once
#include <cstdint>

#include "shared_address.cuh"

__device__ __forceinline__ void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wgmma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
// Waits until at most `Pending` of the groups are under way.
template <int Pending>
__device__ __forceinline__ void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
}

// Matrix descriptor of a tile in the 128-byte swizzle: address, leading and stride offsets in units of 16
// bytes. Rows of 128 bytes come in groups of eight, 1024 bytes apart.
__device__ __forceinline__ std::uint64_t descriptor(std::uint32_t address, int leading) {
  return (static_cast<std::uint64_t>(1) << 62) | (static_cast<std::uint64_t>(1024 >> 4) << 32) |
         (static_cast<std::uint64_t>(leading >> 4) << 16) | ((address & 0x3FFFF) >> 4);
}
// Rows of 128 bytes in the 128-byte swizzle (62: mode 1), groups of 8 rows 1024 bytes apart (32).
__device__ __forceinline__ std::uint64_t descriptor(const void* tile) {
  return (std::uint64_t(1) << 62) | (std::uint64_t(1024 >> 4) << 32) | (std::uint64_t(1) << 16) |
         ((shared_address(tile) & 0x3FFFFu) >> 4);
}

// Sums of a thread as operands of an asm statement.
#define HOLD_4(I) "+f"(d[I]), "+f"(d[I + 1]), "+f"(d[I + 2]), "+f"(d[I + 3])
#define HOLD_16(I) HOLD_4(I), HOLD_4(I + 4), HOLD_4(I + 8), HOLD_4(I + 12)

// Keeps reads of the sums behind the wait before it.
template <int Sums>
__device__ __forceinline__ void hold(float (&d)[Sums]) {
#pragma unroll
  for (int i = 0; i < Sums; i += 16) asm volatile("" : HOLD_16(i)::"memory");
}

// bf16: d = a b, plus d if `add`; 64 x 128 x 16 and 64 x 256 x 16 by a warpgroup. A lies along K, B along N (the
// last 1: transposed).
__device__ __forceinline__ void wgmma(float (&d)[64], std::uint64_t a, std::uint64_t b, int add) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, "
      "%19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, "
      "%36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, "
      "%53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
      "}, %64, %65, p, 1, 1, 0, 1;\n}"
      : HOLD_16(0), HOLD_16(16), HOLD_16(32), HOLD_16(48)
      : "l"(a), "l"(b), "r"(add));
}
__device__ __forceinline__ void wgmma(float (&d)[128], std::uint64_t a, std::uint64_t b, int add) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, "
      "%19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, "
      "%36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, "
      "%53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, "
      "%70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, "
      "%87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, "
      "%103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, "
      "%117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
      "}, %128, %129, p, 1, 1, 0, 1;\n}"
      : HOLD_16(0), HOLD_16(16), HOLD_16(32), HOLD_16(48), HOLD_16(64), HOLD_16(80), HOLD_16(96), HOLD_16(112)
      : "l"(a), "l"(b), "r"(add));
}

// tf32: d += a b with a of 64 x 8 in registers and b of 8 x 64 or 8 x 256 in shared memory.
#define TEN(X) "%" #X "0,%" #X "1,%" #X "2,%" #X "3,%" #X "4,%" #X "5,%" #X "6,%" #X "7,%" #X "8,%" #X "9,"
#define LEFT "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3])
__device__ __forceinline__ void wgmma(float (&d)[32], const unsigned (&a)[4], std::uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 {" TEN() TEN(1)
                   TEN(2) "%30,%31}, {%32,%33,%34,%35}, %36, 1, 1, 1;"
               : HOLD_16(0), HOLD_16(16)
               : LEFT, "l"(b));
}
__device__ __forceinline__ void wgmma(float (&d)[128], const unsigned (&a)[4], std::uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 {" TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6)
          TEN(7) TEN(8) TEN(9) TEN(10)
              TEN(11) "%120,%121,%122,%123,%124,%125,%126,%127}, {%128,%129,%130,%131}, %132, 1, 1, 1;"
      : HOLD_16(0), HOLD_16(16), HOLD_16(32), HOLD_16(48), HOLD_16(64), HOLD_16(80), HOLD_16(96), HOLD_16(112)
      : LEFT, "l"(b));
}

#undef TEN
#undef LEFT
#undef HOLD_4
#undef HOLD_16
