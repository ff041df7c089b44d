#pragma once
#include "no_such_header.cuh"

template <class Op>
__device__ float warp_all(float v, Op op) {
  for (int step = 16; step > 0; step /= 2) v = op(v, __shfl_xor_sync(0xffffffffu, v, step));
  return v;
}
__device__ float warp_sum(float v) {
  return warp_all(v, [](float a, float b) { return a + b; });
}
__device__ float warp_max(float v) {
  return warp_all(v, [](float a, float b) { return fmaxf(a, b); });
}

// Nobody above calls it: its instructions are not the kernel's.
__device__ void fetch_rows(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"l"(to), "l"(from));
}
