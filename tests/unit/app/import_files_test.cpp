// What `import` is given: pipes with a name, as a shell's `explog import <(zcat old.jsonl.gz)` hands over; folders of which a
// part cannot be read; files of which the user knows more than they say.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "app/calibrate/sweep_store.h"
#include "base/file.h"
#include "hostile_session.h"
#include "model/json.h"
#include "unit/intake/read_all.h"

using namespace explog;

TEST_CASE("import reads a pipe that has a name, though it can be read only once") {
  constexpr std::string_view record =
      "{\"kernel_type\":\"gemm\",\"backend\":\"cuda\",\"arch\":\"sm_90\",\"strategy\":\"split_k\","
      "\"outcome\":\"success\"}\n";
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  REQUIRE(write(ends[1], record.data(), record.size()) == static_cast<ssize_t>(record.size()));
  close(ends[1]);
  hostile::Session session;
  hostile::Ran ran = session.run({"import", "/dev/fd/" + std::to_string(ends[0])});
  close(ends[0]);
  CHECK(ran.code == 0);
  CHECK(ran.out == "added 1, skipped 0 (known already), rejected 0\n");
}

TEST_CASE("import: a folder below that cannot be read is a warning, and the others are imported") {
  hostile::Session session;
  std::string folder = session.folder / "in";
  REQUIRE(mkdir(folder.c_str(), 0700) == 0);
  write_file(folder + "/good.jsonl",
             "{\"kernel_type\":\"gemm\",\"strategy\":\"split_k\",\"outcome\":\"success\"}\n");
  // Deeper than a path can be long, which holds for every user.
  const std::string name(250, 'd');
  int at = open(folder.c_str(), O_RDONLY | O_DIRECTORY);
  for (int depth = 0; depth < 18; ++depth) {
    REQUIRE(mkdirat(at, name.c_str(), 0700) == 0);
    int below = openat(at, name.c_str(), O_RDONLY | O_DIRECTORY);
    close(at);
    at = below;
  }
  close(at);
  hostile::Ran ran = session.run({"import", folder});
  CHECK(ran.code == 0);
  CHECK(ran.out.starts_with("added 1, skipped 0 (known already), rejected 0\n"));
  CHECK(test::has(ran.err, "cannot read " + folder + "/ddd"));
  CHECK(test::has(ran.err, "what lies in it is not imported"));
  CHECK(session.run({"import", folder + "/none"}).code != 0);
}

TEST_CASE("import: the backend that the user names goes before the one that is usual for a format") {
  auto backends = [](const std::vector<std::string>& more) {
    hostile::Session session;
    std::vector<std::string> words = {
        "import", test::sample("sample_perf_results.md"), "--kernel", "softmax", "--arch", "sm_90"};
    words.insert(words.end(), more.begin(), more.end());
    CHECK(session.run(words).code == 0);
    return session.run({"query", "--sql", "SELECT DISTINCT backend FROM experience"}).out;
  };
  CHECK(test::has(backends({}), "cutile"));
  CHECK_FALSE(test::has(backends({"--backend", "triton"}), "cutile"));
  CHECK(test::has(backends({"--backend", "triton"}), "triton"));
}

TEST_CASE(
    "an export is known where its records are, those that ship too, and elsewhere adds the others once") {
  setenv("EXPLOG_SHIPPED", "on", 1);
  hostile::Session session;
  session.run({"add", "--kernel", "gemm", "--backend", "cuda", "--arch", "sm_90", "--strategy", "split_k",
               "--speedup", "1.5"});
  hostile::Ran exported = session.run({"export", "kernel_type:gemm"});
  const std::string here = session.run({"import", "-"}, exported.out).out;
  const std::string other = session.folder / "other.db";
  const std::string there = session.run({"--db", other, "import", "-"}, exported.out).out;
  hostile::Ran again = session.run({"--db", other, "add", "--jsonl", "-"}, exported.out);
  hostile::Ran copy = session.run({"--db", other, "export", "kernel_type:gemm"});
  setenv("EXPLOG_SHIPPED", "off", 1);
  CHECK(here.starts_with("added 0, skipped"));
  CHECK(there.starts_with("added 1, skipped"));
  CHECK(again.out.starts_with("added 0, skipped"));
  CHECK(again.err.empty());
  CHECK(copy.out == exported.out);
}

TEST_CASE("a record that was measured here is known when it comes back from where it was imported") {
  hostile::Session session;
  app::Session here;
  here.db_path = session.folder / "test.db";
  here.clock = [] { return std::int64_t{1767323045000}; };
  std::vector<Experience> measured(1);
  measured[0].kernel_type = "gemm", measured[0].backend = "cuda", measured[0].arch = "sm_90";
  measured[0].strategy = "block_x:up", measured[0].level = "measured";
  measured[0].latency_before_ms = 2, measured[0].latency_after_ms = 1.7;
  REQUIRE(app::record_changes(here, measured) == 1);
  const std::string other = session.folder / "other.db";
  const std::string none = "added 0, skipped 1 (known already), rejected 0\n";
  hostile::Ran out = session.run({"export"});
  CHECK(session.run({"--db", other, "import", "-"}, out.out).out.starts_with("added 1,"));
  hostile::Ran back = session.run({"--db", other, "export"});
  CHECK(test::has(back.out, "\"level\":\"imported\""));
  CHECK(session.run({"import", "-", "--dry-run"}, back.out).out.starts_with("would add 0, skipped 1"));
  CHECK(session.run({"import", "-"}, back.out).out == none);
  CHECK(session.run({"add", "--jsonl", "-"}, back.out).out == none);
  CHECK(session.run({"export"}).out == out.out);
}

TEST_CASE("import --dry-run says what would be stored and leaves nothing behind") {
  hostile::Session session;
  const std::string missing = session.folder / "missing.db", empty = session.folder / "empty.db";
  const std::string line = "{\"kernel_type\":\"gemm\",\"strategy\":\"split_k\",\"outcome\":\"success\"}\n";
  hostile::Ran ran = session.run({"--db", missing, "import", "-", "--dry-run"}, line + line);
  CHECK(ran.code == 0);
  CHECK(ran.out == "would add 1, skipped 1 (known already), rejected 0\n");
  CHECK(ran.err == "explog: " + missing + " does not exist yet: without --dry-run it would be made\n");
  // The records that ship are not put into it either, but they are known.
  write_file(empty, "");
  setenv("EXPLOG_SHIPPED", "on", 1);
  hostile::Ran exported = session.run({"export", "kernel_type:rope"});
  hostile::Ran shipped = session.run({"--db", empty, "import", "-", "--dry-run"}, exported.out);
  setenv("EXPLOG_SHIPPED", "off", 1);
  CHECK(shipped.out.starts_with("would add 0, skipped 28 "));
  CHECK(read_file(empty).empty());
  for (const std::string& path : {missing, missing + ".lock", empty + ".lock", empty + "-wal"}) {
    CAPTURE(path);
    CHECK(access(path.c_str(), F_OK) != 0);
  }
}
