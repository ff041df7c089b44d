// A row of a matrix in the registers of the Width threads that hold it.
#pragma once
#include "streaming.cuh"

// Float4s of a row, zeros beyond it.
template <int Width, int Quads>
__device__ __forceinline__ void load_row(const float4* in, int lane, int quads, float4 (&v)[Quads]) {
#pragma unroll
  for (int k = 0; k < Quads; ++k) {
    const int j = k * Width + lane;
    v[k] = j < quads ? load_once(in + j) : make_float4(0, 0, 0, 0);
  }
}

// Items values of a row of D; with Quad (D a multiple of 4) four of them are neighbours. Beyond the row: -inf,
// whose exp is 0.
template <int Width, bool Quad, int Items>
__device__ __forceinline__ void load_row(const float* in, int lane, int D, float (&v)[Items]) {
  if (Quad) {
#pragma unroll
    for (int k = 0; k < Items; k += 4) {
      const int j = k * Width + lane * 4;
      float4 q = make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
      if (j < D) q = load_once(reinterpret_cast<const float4*>(in + j));
      v[k] = q.x, v[k + 1] = q.y, v[k + 2] = q.z, v[k + 3] = q.w;
    }
  } else {
#pragma unroll
    for (int k = 0; k < Items; ++k) {
      const int j = k * Width + lane;
      v[k] = j < D ? load_once(in + j) : -INFINITY;
    }
  }
}
template <int Width, bool Quad, int Items>
__device__ __forceinline__ void store_row(float* out, int lane, int D, const float (&v)[Items]) {
  if (Quad) {
#pragma unroll
    for (int k = 0; k < Items; k += 4) {
      const int j = k * Width + lane * 4;
      const float4 q = make_float4(v[k], v[k + 1], v[k + 2], v[k + 3]);
      if (j < D) store_once(reinterpret_cast<float4*>(out + j), q);
    }
  } else {
#pragma unroll
    for (int k = 0; k < Items; ++k) {
      const int j = k * Width + lane;
      if (j < D) store_once(out + j, v[k]);
    }
  }
}
