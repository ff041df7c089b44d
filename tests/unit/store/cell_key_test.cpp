// The key of a cell as bytes.
#include "store/cell_key.h"

#include <doctest/doctest.h>

#include <string>

#include "store/packed_cell.h"

using namespace explog;
using store::CellKey;
using store::Grain;

namespace {

CellKey any_key() {
  CellKey key;
  key.family = "gemm", key.grain = Grain::coarse, key.strategy = "smem", key.backend = "cuda";
  key.arch = "sm_90", key.kernel_type = "gemv", key.dtype = "bf16", key.bottleneck = "memory";
  key.size = 7, key.latency = 9, key.state = "block_x=7";
  key.level = "measured", key.origin = 3, key.source = "a paper", key.quarter = 8104, key.mirrored = true;
  return key;
}

}  // namespace

TEST_CASE("keys differ when any of their parts does, and bytes are ordered as the parts are") {
  CellKey a = any_key(), b = any_key();
  CHECK(a == b);
  CHECK(store::CellKeyHash()(a) == store::CellKeyHash()(b));
  b.mirrored = false;
  CHECK(!(a == b));
  auto before = [](const CellKey& x, const CellKey& y) { return store::key_bytes(x) < store::key_bytes(y); };
  CHECK(before(b, a));
  a = any_key(), b = any_key();
  a.size = 9, b.size = 10;
  CHECK(before(a, b));
  a.state = "later in the alphabet, but behind the size";
  CHECK(before(a, b));
  a.size = -1, b.size = 0;
  CHECK(before(a, b));
  a.latency = unknown_latency, b.size = a.size, b.latency = -20;
  CHECK(before(a, b));
  b = a, b.strategy = "smem_tiling", b.size = -1;
  CHECK(before(a, b));  // a name stands before the names that go on behind it
  b = a, b.strategy = std::string("smem\0", 5);
  CHECK(before(a, b));
}
