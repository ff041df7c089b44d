// A cell's key with something in each of its parts.
#pragma once
#include "store/cell_key.h"

namespace explog::test {

inline store::CellKey some_key() {
  using store::Grain;
  store::CellKey key;
  key.family = "gemm", key.grain = Grain::coarse, key.strategy = "smem", key.backend = "cuda";
  key.arch = "sm_90", key.kernel_type = "gemv", key.dtype = "bf16", key.bottleneck = "memory";
  key.size = 7, key.latency = 9, key.state = "block_x=7";
  key.level = "measured", key.origin = 3, key.source = "a paper", key.quarter = 8104, key.mirrored = true;
  return key;
}

}  // namespace explog::test
