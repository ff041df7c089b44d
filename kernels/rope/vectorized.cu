// strategy: vectorized_access
// after: hoisted_angles.cu
// predicts: 1.15x or more at N=4096: 32 bytes of x a thread in flight instead of 8
//
// A thread rotates four neighbouring pairs with 16-byte loads and stores. Other head sizes than multiples of
// 8 take the kernel of the step before.
#include <cuda_runtime.h>

#ifndef THREADS
#define THREADS 256
#endif

constexpr int threads = THREADS;

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
    for (int h = group; h < H; h += groups) {
      float4* at = heads + static_cast<size_t>(h) * (2 * quads) + i;
      float4 a = at[0], b = at[quads];
      rotate(a, b, c, s);
      at[0] = a, at[quads] = b;
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
