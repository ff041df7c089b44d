#pragma once
#include <cstdint>

// Where `p` lies in shared memory, as PTX instructions want it.
__device__ __forceinline__ std::uint32_t shared_address(const void* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}
