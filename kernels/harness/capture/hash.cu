#include "hash.h"

#include <cuda_runtime.h>

extern "C" __global__ void explog_hash(const std::uint64_t* words, std::uint64_t count, std::uint64_t seed,
                                       unsigned long long* sum) {
  if (words == nullptr) {  // begins a sum; a kernel of ours and no memset, so that it ends the call's window
    if (blockIdx.x == 0 && threadIdx.x == 0) *sum = 0;
    return;
  }
  std::uint64_t part = 0;
  for (std::uint64_t i = blockIdx.x * static_cast<std::uint64_t>(blockDim.x) + threadIdx.x; i < count;
       i += static_cast<std::uint64_t>(gridDim.x) * blockDim.x) {
    part += explog::mix(words[i] ^ seed, i);
  }
  for (int step = 16; step > 0; step /= 2) part += __shfl_xor_sync(~0u, part, step);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, static_cast<unsigned long long>(part));
}

namespace explog {

// The payload with its padding, which holds the poison that both sides of a comparison wrote.
void begin_hash(const std::vector<Argument>& arguments, void** call, unsigned long long* sum) {
  explog_hash<<<1, 1>>>(nullptr, 0, 0, sum);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].role != Role::out && arguments[i].role != Role::inout) continue;
    std::uint64_t words = protocol::padded(arguments[i].bytes) / 8;
    auto* payload = static_cast<const std::uint64_t*>(*static_cast<void**>(call[i]));
    explog_hash<<<1024, 256>>>(payload, words, mix(0, i), sum);
  }
}

std::uint64_t output_hash(const std::vector<Argument>& arguments, void** call) {
  static auto* sum = static_cast<unsigned long long*>(device::allocate(256));
  begin_hash(arguments, call, sum);
  unsigned long long result = 0;
  device::copy_out(&result, sum, sizeof result);
  return result;
}

}  // namespace explog
