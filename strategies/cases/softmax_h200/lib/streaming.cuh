// Loads and stores of what is used once. With STREAMING 1 they say so (ld.cs, st.cs), and the caches drop the
// line first; with 0 they are plain.
#pragma once

#ifndef STREAMING
#define STREAMING 0
#endif

template <typename T>
__device__ __forceinline__ T load_once(const T* from) {
#if STREAMING
  return __ldcs(from);
#else
  return *from;
#endif
}

template <typename T>
__device__ __forceinline__ void store_once(T* to, T value) {
#if STREAMING
  __stcs(to, value);
#else
  *to = value;
#endif
}
