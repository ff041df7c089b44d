// The key and the counts of a cell as bytes.
#include "store/cell_key.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "store/functions.h"
#include "store/packed_cell.h"

using namespace explog;
using store::CellKey;
using store::Grain;

namespace {

CellKey some_key() {
  CellKey key;
  key.family = "gemm", key.grain = Grain::coarse, key.strategy = "smem", key.backend = "cuda";
  key.arch = "sm_90", key.kernel_type = "gemv", key.dtype = "bf16", key.bottleneck = "memory";
  key.size = 7, key.latency = 9, key.state = "block_x=7";
  key.level = "measured", key.origin = 3, key.source = "a paper", key.quarter = 8104, key.mirrored = true;
  return key;
}

}  // namespace

TEST_CASE("what is packed is read again") {
  CellKey key = some_key();
  key.source = std::string("a\0b\1c", 5);
  store::CellCounts counts{1,
                           -2,
                           3,
                           0,
                           5,
                           -123456789,
                           7,
                           8,
                           (std::int64_t{3} << 40) + 1,
                           std::numeric_limits<std::int64_t>::max()};
  FamilyEvidence evidence;
  store::CellReader reader(evidence);
  for (int row = 0; row < 2; ++row) {  // the second time the situation is the row's before
    REQUIRE(reader.read(store::key_bytes(key), store::counts_bytes(counts)));
    const EvidenceRow& cell = evidence.rows.back();
    CHECK(cell.setting->strategy == "smem");
    CHECK(cell.setting->bottleneck == "memory");
    CHECK(cell.size == 7);
    CHECK(cell.latency == 9);
    CHECK(cell.state->text == "block_x=7");
    CHECK(cell.by->level == "measured");
    CHECK(cell.by->origin == 3);
    CHECK(cell.by->source == key.source.text());
    CHECK(cell.by->quarter == 8104);
    CHECK(cell.by->reversed);
    CHECK(cell.neutral == -2);
    CHECK(cell.gain_sum == -123456789);
    CHECK(cell.last_rid == counts.last_rid);
  }
  store::CellKey other = key;
  other.strategy = "tiling", other.source = "there", other.state = std::string("a\0b", 3);
  REQUIRE(reader.read(store::key_bytes(other), store::counts_bytes(counts)));
  CHECK(evidence.rows.back().setting->strategy == "tiling");
  CHECK(evidence.rows.back().by->source == "there");
  CHECK(evidence.rows.back().state->text == other.state.text());
  REQUIRE(reader.read(store::key_bytes(key), store::counts_bytes(counts)));
  CHECK(evidence.rows.back().setting == evidence.rows.front().setting);
  CHECK(evidence.rows.back().by == evidence.rows.front().by);
}

TEST_CASE("bytes that were cut are not a cell, and SQL answers them with NULL") {
  std::string key = store::key_bytes(some_key()), counts = store::counts_bytes({});
  FamilyEvidence evidence;
  for (std::size_t n = 0; n < key.size(); ++n)
    CHECK_FALSE(store::CellReader(evidence).read(key.substr(0, n), counts));
  CHECK(evidence.rows.empty());
  CHECK_FALSE(store::counts_in(counts.substr(1)));
  CHECK_FALSE(store::counts_in(counts + '\1'));
  CHECK_FALSE(store::counts_in(std::string(40, '\xff')));
  sql::Db db(":memory:", sql::Mode::read_write);
  store::register_functions(db);
  CHECK(db.text("SELECT cell_part(x'41', 'strategy') IS NULL AND cell_part(x'4100', 'strategy') = 'A'"
                " AND cell_part(x'4100', 'size') IS NULL AND cell_count(x'02', 'success') IS NULL") == "1");
}

TEST_CASE("SQL names the parts of a key and adds counts up") {
  sql::Db db(":memory:", sql::Mode::read_write);
  store::register_functions(db);
  std::string key = store::key_bytes(some_key()),
              counts = store::counts_bytes({1, 2, 3, 0, 1, -70, 0, 0, 9, 12});
  sql::Stmt read(
      db,
      "SELECT cell_part(?1, 'strategy') || '/' || cell_part(?1, 'dtype') || '/' || cell_part(?1, 'size')"
      " || '/' || cell_part(?1, 'origin') || '/' || cell_part(?1, 'mirrored'),"
      " CAST(cell_sum(?2, ?2) AS BLOB)");
  read.bind_blob(1, key).bind_blob(2, counts);
  REQUIRE(read.step());
  CHECK(read.text(0) == "smem/bf16/7/3/1");
  auto sum = store::counts_in(read.blob(1));
  REQUIRE(sum);
  CHECK(sum->success == 2);
  CHECK(sum->gain_sum == -140);
  CHECK(sum->first_rid == 9);
  CHECK(sum->last_rid == 12);
}

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
