// strategy: increase_ilp
// after: vectorized.cu
// predicts: up to 1.1x at N=4096: 64 bytes of x a thread in flight; no gain at H=8
//
// Two heads are loaded before the first of them is stored.
#include <cuda_runtime.h>

#include "../lib/streaming.cuh"

constexpr int threads = 256;
#ifndef FLIGHT
#define FLIGHT 2
#endif

constexpr int flight = FLIGHT;  // heads a thread has under way at once

// Four neighbouring pairs (a, b).
__device__ __forceinline__ void rotate(float4& a, float4& b, float4 c, float4 s) {
  const float4 old = a;
  a = make_float4(old.x * c.x - b.x * s.x, old.y * c.y - b.y * s.y, old.z * c.z - b.z * s.z,
                  old.w * c.w - b.w * s.w);
  b = make_float4(b.x * c.x + old.x * s.x, b.y * c.y + old.y * s.y, b.z * c.z + old.z * s.z,
                  b.w * c.w + old.w * s.w);
}

// D a multiple of 8, so that each half of a head starts on 16 bytes.
__global__ void __launch_bounds__(threads)
    rope_quads(float* x, const float* cosines, const float* sines, int H, int D) {
  const int quads = D / 8;  // of one half
  const size_t n = blockIdx.x;
  const float4* c4 = reinterpret_cast<const float4*>(cosines + n * (D / 2));
  const float4* s4 = reinterpret_cast<const float4*>(sines + n * (D / 2));
  float4* heads = reinterpret_cast<float4*>(x + n * H * D);
  const int width = quads < threads ? quads : threads;  // of a group, a group a head at a time
  const int groups = threads / width;
  const int group = threadIdx.x / width;
  if (group >= groups) return;
  for (int i = threadIdx.x % width; i < quads; i += width) {
    const float4 c = c4[i], s = s4[i];
    for (int h = group; h < H; h += flight * groups) {
      float4 a[flight], b[flight];
#pragma unroll
      for (int k = 0; k < flight; ++k) {
        const int head = h + k * groups;
        const float4* at = heads + static_cast<size_t>(head) * (2 * quads) + i;
        if (head < H) a[k] = load_once(at), b[k] = load_once(at + quads);
      }
#pragma unroll
      for (int k = 0; k < flight; ++k) {
        const int head = h + k * groups;
        float4* at = heads + static_cast<size_t>(head) * (2 * quads) + i;
        if (head >= H) continue;
        rotate(a[k], b[k], c, s);
        store_once(at, a[k]);
        store_once(at + quads, b[k]);
      }
    }
  }
}

// Any D: one pair at a time, as in hoisted_angles.cu.
__global__ void __launch_bounds__(threads)
    rope_any(float* x, const float* cosines, const float* sines, int H, int D) {
  const int half = D / 2;
  const size_t n = blockIdx.x;
  const int width = half < threads ? half : threads;  // of a group
  const int groups = threads / width;
  const int group = threadIdx.x / width;
  if (group >= groups) return;
  for (int i = threadIdx.x % width; i < half; i += width) {
    const float c = cosines[n * half + i], s = sines[n * half + i];
    for (int h = group; h < H; h += groups) {
      float* row = x + (n * H + h) * D;
      const float a = row[i], b = row[i + half];
      row[i] = a * c - b * s;
      row[i + half] = b * c + a * s;
    }
  }
}

extern "C" void solve(float* x, const float* cosines, const float* sines, int N, int H, int D) {
  if (D % 8 == 0) {
    rope_quads<<<N, threads>>>(x, cosines, sines, H, D);
  } else {
    rope_any<<<N, threads>>>(x, cosines, sines, H, D);
  }
}
