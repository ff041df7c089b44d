// The key of a cell: its columns, their types and their order are said once.
#include "store/cell_key.h"

#include <doctest/doctest.h>

#include <string>

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

TEST_CASE("a cell's key is bound to its columns in their order") {
  sql::Db db(":memory:", sql::Mode::read_write);
  db.exec(std::string("CREATE TABLE cell (") + store::cell_key_columns + ")");
  sql::Stmt insert(db, std::string("INSERT INTO cell(") + store::cell_key_columns +
                           ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  REQUIRE(insert.parameters() == store::cell_key_size);
  CellKey key = some_key();
  store::bind_key(insert, key);
  insert.run();
  CHECK(db.text(
            "SELECT "
            "family||'/'||grain||'/'||strategy||'/'||backend||'/'||arch||'/'||kernel_type||'/'||dtype||'/'||"
            "bottleneck||'/'||size||'/'||latency||'/'||state||'/'||level||'/'||origin||'/'||source||'/"
            "'||quarter||'/'||mirrored "
            "FROM cell") ==
        "gemm/1/smem/cuda/sm_90/gemv/bf16/memory/7/9/block_x=7/measured/3/a paper/8104/1");
  CHECK(db.text("SELECT typeof(family)||typeof(grain)||typeof(size)||typeof(mirrored) FROM cell") ==
        "textintegerintegerinteger");
}

TEST_CASE("keys differ when any of their columns does, and numbers are ordered as numbers") {
  CellKey a = some_key(), b = some_key();
  CHECK(a == b);
  CHECK(store::CellKeyHash()(a) == store::CellKeyHash()(b));
  b.mirrored = false;
  CHECK(!(a == b));
  CHECK(b < a);
  a = some_key(), b = some_key();
  a.size = 9, b.size = 10;
  CHECK(a < b);
  a.state = "later in the alphabet, but behind the size";
  CHECK(a < b);
}
