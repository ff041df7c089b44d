// Outputs as a number, taken on the device: the same bytes give the same number.
#pragma once
#include <cstdint>
#include <vector>

#include "../runner/buffers.h"

namespace explog {

// Of all outputs of a call, from the array of argument addresses that it was called with, to `sum` in device memory. Not
// waited for.
void begin_hash(const std::vector<Argument>& arguments, void** call, unsigned long long* sum);
// The same, which waits for the device.
std::uint64_t output_hash(const std::vector<Argument>& arguments, void** call);

}  // namespace explog
