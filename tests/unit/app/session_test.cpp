// Readers and what ships with the program: what a first question leaves behind.
#include "app/session/session.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "scratch.h"

using namespace explog;

// A journal that stays is read again by every question after it, from its first byte to its last.
TEST_CASE("what ships stands in the database's own file after the first question") {
  Scratch scratch;
  app::Session session;
  session.db_path = scratch / "explog.db";
  session.clock = [] { return std::int64_t{1767323045000}; };
  session.writer();
  session.shipped = true;
  { sql::Db reader = session.reader(); }
  std::error_code none;
  auto journal = std::filesystem::file_size(session.db_path + "-wal", none);
  CHECK((none || journal == 0));
  CHECK(std::filesystem::file_size(session.db_path) > 1 << 20);
}
