// What came out inconclusive and is to be measured again leaves no record.
#include <doctest/doctest.h>

#include "app/judge/bench.h"
#include "base/file.h"
#include "hostile_session.h"

using namespace explog;

TEST_CASE("an attempt that noise hid is recorded only by the last try") {
  hostile::Session shell;
  app::Session session;
  session.db_path = shell.folder / "test.db";
  session.clock = [] { return std::int64_t{1767323045000}; };
  session.read = [](const std::string& path) { return read_file(path); };
  app::BenchOptions options;
  options.names.task = "vector_add";
  options.names.candidate = std::string(EXPLOG_SOURCE_DIR) + "/tests/data/judge/honest.cpp";
  options.timing.max_seconds = 1e-6;
  options.record.emplace().strategy = "loop_unroll";
  options.record_noise = false;
  app::Judged judged = app::bench_candidate(options, session);
  REQUIRE(judged.verdict.verdict == bench::Decision::inconclusive);
  CHECK(judged.ids.empty());
  CHECK(shell.run({"list"}).out.empty());
  options.record_noise = true;
  CHECK_FALSE(app::bench_candidate(options, session).ids.empty());
}
