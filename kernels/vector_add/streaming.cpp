// strategy: streaming_cache_hints
// after: naive.cpp
// predicts: several times faster: each cache line is used once, and stores bypass the caches
//
// One contiguous vectorised pass (strided_access_x:off is part of it) with non-temporal stores.
#include <cstdint>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

extern "C" void solve(const float* __restrict x, const float* __restrict y, float* __restrict z, int N) {
  int i = 0;
#if defined(__AVX512F__)
  for (; i < N && reinterpret_cast<std::uintptr_t>(z + i) % 64 != 0; ++i) z[i] = x[i] + y[i];
  for (; i <= N - 64; i += 64) {
    for (int k = 0; k < 64; k += 16) {
      _mm512_stream_ps(z + i + k, _mm512_add_ps(_mm512_loadu_ps(x + i + k), _mm512_loadu_ps(y + i + k)));
    }
  }
  _mm_sfence();
#elif defined(__SSE2__)
  for (; i < N && reinterpret_cast<std::uintptr_t>(z + i) % 16 != 0; ++i) z[i] = x[i] + y[i];
  for (; i <= N - 16; i += 16) {
    for (int k = 0; k < 16; k += 4) {
      _mm_stream_ps(z + i + k, _mm_add_ps(_mm_loadu_ps(x + i + k), _mm_loadu_ps(y + i + k)));
    }
  }
  _mm_sfence();
#endif
  for (; i < N; ++i) z[i] = x[i] + y[i];
}
