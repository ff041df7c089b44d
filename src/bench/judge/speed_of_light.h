// The least time a call can take on a device.
#pragma once
#include "bench/judge/case.h"
#include "bench/judge/device.h"

namespace explog::bench {

// Speed of light of a call in ms: max(bytes / bandwidth, flops / rate) at the device's peaks; 0 unknown. Peak
// rates per multiprocessor and cycle: CUDA C++ Programming Guide, arithmetic instructions, and NVIDIA's data
// sheets (dense). `cached_writes`: as many bytes of output as the L2 holds need not have reached memory when
// the call ends.
double speed_of_light_ms(const Case& c, const Device& device, bool cached_writes = false);

}  // namespace explog::bench
