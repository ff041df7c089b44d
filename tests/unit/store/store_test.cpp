#include "store/store.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "base/embedded.h"
#include "base/error.h"
#include "model/claim.h"
#include "scratch.h"
#include "store/cell_rows.h"
#include "store/open.h"
#include "store/read.h"

using namespace explog;

namespace {

store::Draft draft(const std::string& strategy, double after, const std::string& notes = "") {
  Experience e;
  e.kernel_type = "gemm";
  e.backend = "cuda";
  e.arch = "sm_90";
  e.strategy = strategy;
  e.latency_before_ms = 2;
  e.latency_after_ms = after;
  e.notes = notes;
  prepare(e, "claimed");
  store::Draft d;
  d.body = to_json(e);
  d.experience = e;
  return d;
}

store::Draft content(const std::string& strategy, double after) {
  store::Draft d = draft(strategy, after);
  d.id = uuid_v8(d.body);
  return d;
}

std::int64_t store_clock() { return 1767323045000; }

}  // namespace

TEST_CASE("sequence is contiguous and a rebuild equals what was kept up to date, bit for bit") {
  Scratch scratch;
  store::Store s(scratch / "x.db", store_clock);
  s.append({draft("a", 1, "first note"), draft("b", 3), draft("a", 1.99)});
  auto more = s.append({draft("a", 0.5, "second note"), content("c", 1), content("c", 1)});
  CHECK(more[1].created);
  CHECK_FALSE(more[2].created);
  CHECK(s.db().integer("SELECT max(rid & 1099511627775) FROM event") == 5);
  CHECK(s.rebuild().empty());
  std::int64_t rid = store::resolve(s.db(), more[0].id.text());
  s.retract({rid}, "wrong");
  CHECK(s.rebuild().empty());
  CHECK(s.db().integer("SELECT count(*) FROM attempt") == 4);
  CHECK(s.db().integer("SELECT count(*) FROM note WHERE note MATCH 'second'") == 0);
  CHECK(store::load(s.db(), rid).retracted == "wrong");
}

TEST_CASE("a damaged projection is found, named and repaired") {
  Scratch scratch;
  store::Store s(scratch / "x.db", store_clock);
  s.append({draft("a", 1, "words"), draft("b", 3)});
  s.db().exec(
      "UPDATE cell SET cells = substr(cells, 1, length(cells) - 1); DELETE FROM attempt WHERE strategy = "
      "'b'");
  s.db().exec("INSERT INTO note(note) VALUES ('delete-all')");
  auto differing = s.rebuild();
  CHECK(differing.size() == 3);
  CHECK(s.rebuild().empty());
  CHECK(s.db().integer("SELECT count(*) FROM note WHERE note MATCH 'words'") == 1);
}

TEST_CASE("an idempotency key finds the first record") {
  Scratch scratch;
  store::Store s(scratch / "x.db", store_clock);
  store::Draft d = draft("a", 1);
  d.experience.idempotency_key = "k";
  d.body = to_json(d.experience);
  auto first = s.append({d});
  auto second = s.append({d});
  CHECK(first[0].id == second[0].id);
  CHECK_FALSE(second[0].created);
  CHECK(s.rebuild().empty());
}

TEST_CASE("merging in any order and twice gives the same counts") {
  Scratch scratch;
  {
    store::Store a(scratch / "a.db", store_clock), b(scratch / "b.db", store_clock);
    a.append({draft("a", 1), content("same", 1)});
    auto kept = b.append({draft("b", 1), content("same", 1), draft("gone", 1)});
    b.retract({store::resolve(b.db(), kept[2].id.text())}, "bad");
  }
  auto counts = [](store::Store& s) {
    return s.db().text(
        "SELECT group_concat(strategy || success) FROM (SELECT strategy, sum(success) AS success FROM " +
        store::counted_cells() + " GROUP BY 1 ORDER BY 1)");
  };
  store::Store ab(scratch / "ab.db", store_clock), ba(scratch / "ba.db", store_clock);
  CHECK(ab.merge(scratch / "a.db").added == 2);
  CHECK(ab.merge(scratch / "b.db").added == 4);
  CHECK(ab.merge(scratch / "b.db").added == 0);
  ba.merge(scratch / "b.db");
  ba.merge(scratch / "a.db");
  CHECK(counts(ab) == "a1,b1,same1");
  CHECK(counts(ba) == counts(ab));
  CHECK(ab.rebuild().empty());
  CHECK(ba.rebuild().empty());
}

TEST_CASE("merging and rebuilding tell how far they are") {
  Scratch scratch;
  {
    store::Store a(scratch / "a.db", store_clock);
    a.append({draft("a", 1), draft("b", 1), draft("c", 1)});
  }
  store::Store s(scratch / "b.db", store_clock);
  std::vector<std::pair<std::int64_t, std::int64_t>> told;
  store::Reached reached = [&](std::int64_t n, std::int64_t all) { told.emplace_back(n, all); };
  s.merge(scratch / "a.db", Trust::unreviewed, reached);
  REQUIRE_FALSE(told.empty());
  CHECK(told.back() == std::pair<std::int64_t, std::int64_t>(3, 3));
  told.clear();
  CHECK(s.rebuild(reached).empty());
  CHECK(told == std::vector<std::pair<std::int64_t, std::int64_t>>{{1, 3}, {2, 3}, {3, 3}});
}

TEST_CASE("a short id is as many groups of digits as only one record begins with") {
  Scratch scratch;
  store::Store s(scratch / "a.db", store_clock);
  std::vector<store::Draft> drafts(5, draft("a", 1));
  for (store::Draft& each : drafts) each.id = Uuid{};
  drafts[0].id->bytes = {1, 2, 3, 4, 5, 6, 0x70, 8, 0x89, 10};
  drafts[1].id->bytes = {1, 2, 3, 4, 5, 6, 0x70, 8, 0x89, 11};
  drafts[2].id->bytes = {1, 2, 3, 4, 5, 6, 0x70, 9};
  drafts[3].id->bytes = {1, 2, 3, 4, 5, 7};
  drafts[4].id->bytes = {9};
  s.append(drafts);
  for (const char* id : {"01020304-0506-7008-890a-000000000000", "01020304-0506-7008-890b-000000000000",
                         "01020304-0506-7009", "01020304-0507", "09000000"}) {
    std::int64_t rid = store::resolve(s.db(), id);
    CHECK(store::short_ids_of(s.db(), {rid}) == std::vector<std::string>{id});
  }
}

TEST_CASE("a copied database gets an origin of its own") {
  Scratch scratch;
  {
    store::Store s(scratch / "x.db", store_clock);
    s.append({draft("a", 1)});
  }
  std::filesystem::copy_file(scratch / "x.db", scratch / "copy.db");
  store::Store original(scratch / "x.db", store_clock), copy(scratch / "copy.db", store_clock);
  original.append({draft("b", 1)});
  copy.append({draft("c", 1)});
  CHECK(copy.db().integer("SELECT count(*) FROM origin") == 2);
  auto merged = original.merge(scratch / "copy.db");
  CHECK(merged.added == 1);
  CHECK(merged.refused.empty());
  CHECK(original.rebuild().empty());
}

TEST_CASE("every released schema opens, migrates and equals a fresh one") {
  Scratch scratch;
  store::Store fresh(scratch / "fresh.db", store_clock);
  const char* schema =
      "SELECT group_concat(type || name || coalesce(sql, ''), char(10)) FROM (SELECT * FROM sqlite_master "
      "ORDER BY type, name)";
  int dumps = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(EXPLOG_SOURCE_DIR) + "/tests/data/released")) {
    CAPTURE(file.path());
    ++dumps;
    std::string path = scratch / ("old" + std::to_string(dumps) + ".db");
    std::filesystem::copy_file(file.path(), path);
    store::Store old(path, store_clock);
    CHECK(old.db().integer("PRAGMA user_version") == store::schema_version);
    CHECK(old.db().text(schema) == fresh.db().text(schema));
    CHECK(store::count_records(old.db()) == 3);
    CHECK(old.rebuild().empty());
    old.append({draft("new", 1)});
    CHECK(store::count_records(old.db()) == 4);
  }
  CHECK(dumps == store::schema_version);
}

TEST_CASE("the guard is on for the SQLite versions that need it") {
  CHECK(sql::wal_needs_guard(3040001));
  CHECK(sql::wal_needs_guard(3051002));
  CHECK_FALSE(sql::wal_needs_guard(3051003));
  CHECK_FALSE(sql::wal_needs_guard(3050007));
  CHECK(sql::wal_needs_guard(3050006));
  CHECK_FALSE(sql::wal_needs_guard(3044006));
  CHECK(sql::wal_needs_guard(3045000));
}
