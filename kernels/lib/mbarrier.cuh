// Barriers in shared memory, by address or by pointer. A phase ends when `count` threads have arrived and all
// bytes announced are there. Needs sm_90.
#pragma once
#include <cstdint>

#include "shared_address.cuh"

__device__ __forceinline__ void barrier_init(std::uint32_t barrier, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}
__device__ __forceinline__ void barrier_init(std::uint64_t* barrier, int count) {
  barrier_init(shared_address(barrier), count);
}

// The copy engine sees the barriers that were set up.
__device__ __forceinline__ void barrier_init_done() {
  asm volatile("fence.mbarrier_init.release.cluster;\n fence.proxy.async.shared::cta;" ::: "memory");
}

// Arrives, and announces bytes that must be copied before the phase ends.
__device__ __forceinline__ void barrier_expect(std::uint32_t barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}
__device__ __forceinline__ void barrier_expect(std::uint64_t* barrier, int bytes) {
  barrier_expect(shared_address(barrier), bytes);
}

__device__ __forceinline__ void barrier_arrive(std::uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
__device__ __forceinline__ void barrier_arrive(std::uint64_t* barrier) {
  barrier_arrive(shared_address(barrier));
}

// Waits until the phase of this parity has ended.
__device__ __forceinline__ void barrier_wait(std::uint32_t barrier, int parity) {
  int done = 0;
  while (!done) {
    asm volatile(
        "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.b32 %0, 1, 0, p;\n}"
        : "=r"(done)
        : "r"(barrier), "r"(parity)
        : "memory");
  }
}
// The same as one asm statement: ptxas makes another loop of it.
__device__ __forceinline__ void barrier_wait(std::uint64_t* barrier, int parity) {
  asm volatile(
      "{\n.reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again;\n}" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}
