// Strategies vectorized_access, precompute_invariants: one block a position; a thread loads four cosines and
// sines once, then rotates four pairs of every head it owns with float4 loads, two heads in flight: 64 bytes
// instead of 8.
#include <cuda_runtime.h>

constexpr int threads = 256;

__device__ __forceinline__ void rotate(float4& a, float4& b, float4 c, float4 s) {
  float4 old = a;
  a = make_float4(old.x * c.x - b.x * s.x, old.y * c.y - b.y * s.y, old.z * c.z - b.z * s.z,
                  old.w * c.w - b.w * s.w);
  b = make_float4(b.x * c.x + old.x * s.x, b.y * c.y + old.y * s.y, b.z * c.z + old.z * s.z,
                  b.w * c.w + old.w * s.w);
}

// D a multiple of 8, so that each half of a head starts on 16 bytes.
__global__ void __launch_bounds__(threads)
    rope_quads(float* __restrict__ x, const float* __restrict__ cosines, const float* __restrict__ sines,
               int H, int D) {
  const int quads = D / 8;  // of one half
  const size_t n = blockIdx.x;
  const float4* c4 = reinterpret_cast<const float4*>(cosines + n * (D / 2));
  const float4* s4 = reinterpret_cast<const float4*>(sines + n * (D / 2));
  float4* heads = reinterpret_cast<float4*>(x + n * H * D);
  // Threads split into groups of `width`, a group a head at a time.
  const int width = quads < threads ? quads : threads;
  const int groups = threads / width;
  const int group = threadIdx.x / width;
  if (group >= groups) return;
  for (int i = threadIdx.x % width; i < quads; i += width) {
    const float4 c = c4[i], s = s4[i];
    for (int h = group; h < H; h += 2 * groups) {
      float4* one = heads + static_cast<size_t>(h) * (2 * quads) + i;
      float4* two = one + static_cast<size_t>(groups) * (2 * quads);
      const bool both = h + groups < H;
      float4 a1 = one[0], b1 = one[quads], a2 = a1, b2 = b1;
      if (both) a2 = two[0], b2 = two[quads];
      rotate(a1, b1, c, s);
      rotate(a2, b2, c, s);
      one[0] = a1, one[quads] = b1;
      if (both) two[0] = a2, two[quads] = b2;
    }
  }
}

__global__ void __launch_bounds__(threads) rope_any(float* __restrict__ x, const float* __restrict__ cosines,
                                                    const float* __restrict__ sines, int H, int D) {
  const int half = D / 2;
  const size_t n = blockIdx.x;
  float* heads = x + n * H * D;
  for (int p = threadIdx.x; p < H * half; p += threads) {
    int h = p / half, i = p - h * half;
    float c = cosines[n * half + i], s = sines[n * half + i];
    float* row = heads + static_cast<size_t>(h) * D;
    float a = row[i], b = row[i + half];
    row[i] = a * c - b * s;
    row[i + half] = b * c + a * s;
  }
}

extern "C" void solve(float* x, const float* cosines, const float* sines, int N, int H, int D) {
  if (D % 8 == 0) {
    rope_quads<<<N, threads>>>(x, cosines, sines, H, D);
  } else {
    rope_any<<<N, threads>>>(x, cosines, sines, H, D);
  }
}
