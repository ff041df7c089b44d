// Copies from global to shared memory that do not wait and pass no registers. Before sm_80 they are plain copies.
#pragma once
#include "shared_address.cuh"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define HAVE_CP_ASYNC 1
#else
#define HAVE_CP_ASYNC 0
#endif

#if HAVE_CP_ASYNC
__device__ __forceinline__ void cp_async_16(std::uint32_t to, const void* from, bool valid) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(valid ? 16 : 0)
               : "memory");
}
#endif

// 16 or 4 bytes; zeros where `valid` is false.
__device__ __forceinline__ void cp_async_16(void* to, const void* from, bool valid) {
#if HAVE_CP_ASYNC
  cp_async_16(shared_address(to), from, valid);
#else
  const float4 zeros = make_float4(0, 0, 0, 0);
  *reinterpret_cast<float4*>(to) = valid ? *reinterpret_cast<const float4*>(from) : zeros;
#endif
}
__device__ __forceinline__ void cp_async_4(void* to, const void* from, bool valid) {
#if HAVE_CP_ASYNC
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared_address(to)), "l"(from),
               "r"(valid ? 4 : 0)
               : "memory");
#else
  *reinterpret_cast<float*>(to) = valid ? *reinterpret_cast<const float*>(from) : 0.0f;
#endif
}

// Ends a group of copies, which may be empty.
__device__ __forceinline__ void cp_async_commit() {
#if HAVE_CP_ASYNC
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// All but the latest N groups of this thread have arrived.
template <int N>
__device__ __forceinline__ void cp_async_wait() {
#if HAVE_CP_ASYNC
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
#endif
}
