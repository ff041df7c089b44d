#include "base/sqlite_rows.h"

#include <doctest/doctest.h>

#include <string>

#include "base/error.h"

namespace explog::sql {
namespace {

constexpr const char* table =
    "CREATE TABLE t (n INTEGER PRIMARY KEY, r REAL, x TEXT NOT NULL CHECK (length(x) < 9), b BLOB) STRICT";

}  // namespace

TEST_CASE("rows are written in their order, however many wait") {
  for (std::int64_t rows : {0, 1, 255, 256, 257, 600}) {
    Db db(":memory:", Mode::read_write);
    db.exec(table);
    std::string text = "text", blob("\0\1", 2);
    RowWriter writer(db, "main.t", 4);
    for (std::int64_t n = 1; n <= rows; ++n)
      writer.add({n, n % 2 == 0 ? ValueView(0.5) : ValueView(), text, Blob{blob}});
    writer.write();
    CHECK(db.integer("SELECT count(*) FROM t WHERE x = 'text' AND b = x'0001'") == rows);
    CHECK(db.integer("SELECT count(r) FROM t WHERE r = 0.5") == rows / 2);
    CHECK(db.integer("SELECT coalesce(max(n), 0) FROM t") == rows);
  }
}

TEST_CASE("a row that a table refuses is said, alone and among many; what was forgotten is not written") {
  for (std::int64_t rows : {1, 256}) {
    Db db(":memory:", Mode::read_write);
    db.exec(table);
    RowWriter writer(db, "t", 4);
    auto add_all = [&] {
      for (std::int64_t n = 1; n <= rows; ++n)
        writer.add({n, 1.0, std::string_view(n == rows ? "far too long" : "short"), ValueView()});
      writer.write();
    };
    db.exec("BEGIN");
    CHECK_THROWS_AS(add_all(), Error);
    writer.forget();
    db.exec("ROLLBACK");
    writer.write();
    CHECK(db.integer("SELECT count(*) FROM t") == 0);
  }
}

}  // namespace explog::sql
