// Sums and the like over float4s.
#pragma once

__device__ __forceinline__ float square(float v) { return v * v; }

__device__ __forceinline__ float quad_sum(float4 v) { return (v.x + v.y) + (v.z + v.w); }
__device__ __forceinline__ float quad_max(float4 v) { return fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)); }
__device__ __forceinline__ float quad_squares(float4 v) {
  return (square(v.x) + square(v.y)) + (square(v.z) + square(v.w));
}

template <int Quads>
__device__ __forceinline__ float total(const float4 (&v)[Quads]) {
  float sum = 0;
#pragma unroll
  for (int k = 0; k < Quads; ++k) sum += quad_sum(v[k]);
  return sum;
}
template <int Quads>
__device__ __forceinline__ float squares(const float4 (&v)[Quads]) {
  float sum = 0;
#pragma unroll
  for (int k = 0; k < Quads; ++k) sum += quad_squares(v[k]);
  return sum;
}
