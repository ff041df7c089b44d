// The key of a cell as bytes.
#include "store/cell_key.h"

#include <doctest/doctest.h>

#include <string>

#include "store/packed_cell.h"
#include "unit/store/some_key.h"

using namespace explog;
using store::CellKey;
using test::some_key;

TEST_CASE("keys differ when any of their parts does, and bytes are ordered as the parts are") {
  CellKey a = some_key(), b = some_key();
  CHECK(a == b);
  CHECK(store::CellKeyHash()(a) == store::CellKeyHash()(b));
  b.mirrored = false;
  CHECK(!(a == b));
  auto before = [](const CellKey& x, const CellKey& y) { return store::key_bytes(x) < store::key_bytes(y); };
  CHECK(before(b, a));
  a = some_key(), b = some_key();
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
