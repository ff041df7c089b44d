// Cells in pages: written, read, changed, and what damage does.
#include "store/cell_page.h"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <string>

#include "scratch.h"
#include "store/cell_reader.h"
#include "store/cell_table.h"
#include "store/functions.h"
#include "store/open.h"
#include "unit/store/some_key.h"

using namespace explog;
using store::CellCounts;
using store::CellKey;
using store::CellPage;
using store::Grain;
using test::some_key;

namespace {

CellPage page_of(const std::map<std::string, CellCounts>& cells) {
  std::vector<store::PackedCell> list;
  for (const auto& [key, counts] : cells) list.push_back({key, counts});
  auto pages = store::pages_of(list);
  REQUIRE(pages.size() == 1);
  return pages.front();
}

constexpr std::size_t all = 1000;

// What a table of cells holds, by family, grain and key; its pages must be in order.
std::map<std::string, std::int64_t> contents(sql::Db& db) {
  std::map<std::string, std::int64_t> found;
  sql::Stmt read(db, "SELECT family || grain, first, cells FROM cell ORDER BY family, grain, first");
  std::string last;
  while (read.step()) {
    store::PageCursor cursor(read.blob(1), read.blob(2));
    while (cursor.next()) {
      std::string key = std::string(read.text(0)).append(cursor.head()).append(cursor.tail());
      CHECK(last < key);
      last = key;
      found[key] = cursor.counts().success;
    }
    CHECK_FALSE(cursor.damaged());
    CHECK(read.blob(1).size() + read.blob(2).size() < 2000);
  }
  return found;
}

}  // namespace

TEST_CASE("what is packed is read again") {
  CellKey key = some_key();
  key.source = std::string("a\0b\1c", 5);
  CellCounts counts{1,
                    -2,
                    3,
                    0,
                    5,
                    -123456789,
                    7,
                    8,
                    (std::int64_t{3} << 40) + 1,
                    std::numeric_limits<std::int64_t>::max()};
  CellKey other = key;
  other.strategy = "tiling", other.source = "there", other.state = std::string("a\0b", 3);
  CellKey same_state = other;
  same_state.mirrored = false;
  FamilyEvidence evidence;
  store::CellReader reader(evidence, all);
  CellPage page = page_of({{store::key_bytes(key), counts},
                           {store::key_bytes(other), counts},
                           {store::key_bytes(same_state), CellCounts{}}});
  REQUIRE(reader.read(page.first, page.cells));
  CellPage again = page_of({{store::key_bytes(key), counts}});
  REQUIRE(reader.read(again.first, again.cells));
  REQUIRE(evidence.rows.size() == 4);
  for (const EvidenceRow& cell : {evidence.rows.front(), evidence.rows.back()}) {
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
    CHECK(cell.first_rid == counts.first_rid);
    CHECK(cell.last_rid == counts.last_rid);
  }
  CHECK(evidence.rows[1].setting->strategy == "tiling");
  CHECK(evidence.rows[1].state->text == other.state.text());
  CHECK(evidence.rows[1].state == evidence.rows[2].state);
  CHECK_FALSE(evidence.rows[1].by->reversed);
  CHECK(evidence.rows[2].by->source == "there");
  CHECK(evidence.rows[0].setting == evidence.rows[3].setting);
  CHECK(evidence.rows[0].by == evidence.rows[3].by);
}

TEST_CASE("a page that was cut or changed is found out or is another page, and nothing worse") {
  CellKey key = some_key(), other = key;
  other.state = "block_x=8;unroll=2", other.level = "claimed";
  std::map<std::string, CellCounts> cells{{store::key_bytes(key), {}}, {store::key_bytes(other), {}}};
  CellPage page = page_of(cells);
  FamilyEvidence evidence;
  for (std::size_t n = 0; n < page.first.size(); ++n)
    CHECK_FALSE(store::CellReader(evidence, all).read(page.first.substr(0, n), page.cells));
  std::size_t read_to_the_end = 0;
  for (std::size_t n = 0; n < page.cells.size(); ++n)
    read_to_the_end += store::CellReader(evidence, all).read(page.first, page.cells.substr(0, n));
  CHECK(read_to_the_end == 1);  // behind the first cell
  for (std::size_t n = 0; n < page.cells.size(); ++n) {
    for (int byte : {0, 1, 0x7f, 0x80, 0xff}) {
      std::string changed = page.cells;
      changed[n] = static_cast<char>(byte);
      store::CellReader(evidence, all).read(page.first, changed);
    }
  }
}

TEST_CASE("SQL names the parts and counts of a page's cells, and answers damage with NULL") {
  sql::Db db(":memory:", sql::Mode::read_write);
  store::register_functions(db);
  CellPage page = page_of({{store::key_bytes(some_key()), {1, 2, 3, 0, 1, -70, 0, 0, 9, 12}}});
  sql::Stmt read(
      db,
      "SELECT group_concat(coalesce(strategy || '/' || dtype || '/' || size || '/' || origin || '/' || "
      "mirrored || '/' || gain_sum || '/' || last_rid, 'nothing')) FROM cell_row(?1, ?2)");
  auto rows = [&](std::string_view first, std::string_view cells) {
    read.bind_blob(1, first).bind_blob(2, cells);
    read.step();
    std::string text(read.text(0));
    read.reset();
    return text;
  };
  CHECK(rows(page.first, page.cells) == "smem/bf16/7/3/1/-70/12");
  CHECK(rows(page.first, page.cells + '\1') == "smem/bf16/7/3/1/-70/12,nothing");
  CHECK(rows("A", page.cells) == "nothing");
  CHECK_THROWS(db.text("SELECT strategy FROM cell_row(x'41')"));
}

TEST_CASE("however cells come and go, the pages hold what counts, in order") {
  sql::Db db(":memory:", sql::Mode::read_write);
  store::register_functions(db);
  store::migrate(db);
  store::CellTable table(db, "main");
  std::mt19937 random(7);
  std::map<std::string, std::int64_t> expected;
  for (int round = 0; round < 60; ++round) {
    std::map<std::string, std::pair<CellKey, store::CellDelta>> batch;
    for (auto n = static_cast<unsigned>(random() % (round % 7 == 0 ? 900 : 12)); n > 0; --n) {
      CellKey key = some_key();
      key.family = random() % 2 == 0 ? "gemm" : "conv",
      key.grain = random() % 2 == 0 ? Grain::fine : Grain::bare;
      key.strategy = random() % 4 == 0 ? "" : "s" + std::to_string(random() % 5);
      key.state = "block_x=" + std::to_string(random() % 400), key.mirrored = random() % 2 == 0;
      std::string place =
          key.family.text() + std::to_string(static_cast<int>(key.grain)) + store::key_bytes(key);
      store::CellDelta delta;
      auto known = expected.find(place);
      bool goes = known != expected.end() && random() % 2 == 0;
      delta.success = goes ? -known->second : 1;
      if (goes) delta.first_gone = delta.last_gone = 1;
      batch.insert({place, {key, delta}});
    }
    std::vector<store::CellChange> changes;
    for (const auto& [place, change] : batch) {
      changes.push_back({&change.first, store::key_bytes(change.first), &change.second});
      if (change.second.success < 0) {
        expected.erase(place);
      } else {
        ++expected[place];
      }
    }
    table.add(changes, [](const CellKey&, bool) { return std::int64_t{1}; });
    REQUIRE(contents(db) == expected);
  }
  CHECK(expected.size() > 500);
  CHECK(db.integer("SELECT count(*) FROM cell") < static_cast<std::int64_t>(expected.size()) / 8);
}
