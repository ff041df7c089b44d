#include <doctest/doctest.h>

#include <cstdlib>

#include "app/tune/final.h"
#include "app/tune/request.h"
#include "app/tune/store.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/tune_flags.h"
#include "model/json.h"
#include "scratch.h"

using namespace explog;
using namespace explog::app;

namespace {

const std::string source =
    "// tune: BLOCK 128 256\n#ifndef BLOCK\n#define BLOCK 128\n#endif\n"
    "extern \"C\" void solve(const float* x, const float* y, float* z, int N) { (void)BLOCK; }\n";

bench::Verdict verdict(bench::Decision decision, double gain, double half = 0.01) {
  bench::Verdict v;
  v.verdict = decision;
  v.gain = gain;
  v.gain_lo = gain - half;
  v.gain_hi = gain + half;
  return v;
}

// A folder with a kernel and a store of its own.
struct Place {
  Scratch folder;
  Session session;
  LookupOptions lookup;
  Place() {
    write_file(folder / "k.cpp", source);
    session.db_path = folder / "t.db";
    session.clock = [] { return std::int64_t{1767323045000}; };
    session.read = [](const std::string& path) { return read_file(path); };
    lookup.names = {"vector_add", folder / "k.cpp", "", "", "", {}};
    lookup.gpu = "a processor";
    lookup.shape = "N=1000";
  }

  // A result for this kernel as the machine here would write it.
  Tuned result(std::int64_t n, double block, bool complete = true) {
    Tuned t;
    t.key = look_up(lookup, session).key;
    t.key.source = source_key(bench::read_source(folder / "k.cpp"), {"BLOCK"});
    t.key.shape = {{"N", n}};
    t.complete = complete;
    t.original = {{"BLOCK", 128.0}};
    t.best = {{"BLOCK", block}};
    t.original_ms = 2;
    t.best_ms = 1;
    t.original_wins = false;
    t.faster = t.lo = t.hi = 2;
    t.successes = t.configurations = 2;
    return t;
  }
  void store(const Tuned& t) { record_tuned(t, "measured", session); }
  std::string found() {
    TuneLookup l = look_up(lookup, session);
    return l.source + " " + settings_text(l.params);
  }
};

std::string shape_refusal(const std::string& words) {
  try {
    shapes_in(words, bench::find_task("transpose", "").task, Session());
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE(
    "the winner is what the judge keeps, the largest gain first; what the interval does not tell is a tie") {
  using bench::Decision;
  CHECK_FALSE(winner_of({}));
  CHECK_FALSE(winner_of({verdict(Decision::revert, 0.9), verdict(Decision::inconclusive, 0.5)}));
  auto winner = winner_of({verdict(Decision::keep, 0.10), verdict(Decision::keep, 0.30),
                           verdict(Decision::keep, 0.29), verdict(Decision::crash, 0.30)});
  REQUIRE(winner);
  CHECK(winner->index == 1);
  CHECK(winner->ties == std::vector<std::size_t>{2});
}

TEST_CASE("a look-up finds the exact shape, else the bucket, complete results and the newest first") {
  Place place;
  CHECK(place.found() == "none ");
  place.store(place.result(4096, 64));
  CHECK(place.found() == "none ");
  place.store(place.result(1024, 512));
  CHECK(place.found() == "bucket BLOCK=512");
  place.store(place.result(1000, 256, false));
  CHECK(place.found() == "tuned BLOCK=256");
  place.store(place.result(1000, 128));
  CHECK(place.found() == "tuned BLOCK=128");
  Tuned broken = place.result(1000, 512);
  broken.best_ms = 0;
  place.store(broken);
  CHECK(place.found() == "tuned BLOCK=128");
  place.lookup.gpu = "another";
  CHECK(place.found() == "none ");
}

TEST_CASE("a result holds for the source with other values of its knobs, not for other code or flags") {
  Place place;
  place.store(place.result(1000, 256));
  write_file(place.folder / "k.cpp", replace_all(source, "BLOCK 128", "BLOCK 256"));
  CHECK(place.found() == "tuned BLOCK=256");
  place.lookup.names.compiler_flags = {"-ffast-math"};
  CHECK(place.found() == "none ");
  place.lookup.names.compiler_flags.clear();
  write_file(place.folder / "k.cpp", replace_all(source, "(void)BLOCK", "z[0] = BLOCK"));
  CHECK(place.found() == "none ");
}

TEST_CASE("DISABLE_AUTOTUNE comes before the store: the original, whatever was found to be best") {
  Place place;
  place.store(place.result(1000, 256));
  for (const char* name : {"DISABLE_AUTOTUNE", "EXPLOG_DISABLE_TUNE"}) {
    setenv(name, "1", 1);
    CHECK(place.found() == "disabled BLOCK=128");
    setenv(name, "0", 1);
    CHECK(place.found() == "tuned BLOCK=256");
    unsetenv(name);
  }
}

TEST_CASE(
    "what is exported is imported once, below what was measured here; a header says where it comes from") {
  Place here, there;
  here.store(here.result(1000, 256));
  write_file(here.folder / "r.json", exported_json(stored_results("", here.session)));
  CHECK(import_results(here.folder / "r.json", here.session).added == 0);
  CHECK(import_results(here.folder / "r.json", there.session).added == 1);
  CHECK(import_results(here.folder / "r.json", there.session).skipped == 1);
  CHECK(there.found() == "tuned BLOCK=256");
  CHECK(exported_header(here.result(1000, 256)).find("\n#define BLOCK 256\n") != std::string::npos);
  write_file(here.folder / "r.json", "{\"format\":1,\"results\":[{}]}");
  CHECK_THROWS_WITH_AS(import_results(here.folder / "r.json", here.session),
                       (here.folder / "r.json: result 1: \"format\" is missing").c_str(), Error);
}

TEST_CASE("a shape has a whole number for each dimension of the task") {
  Dims dims = shapes_in("N=3,M=2", bench::find_task("transpose", "").task, Session()).front();
  CHECK(dims == Dims{{"M", 2}, {"N", 3}});
  CHECK(shape_refusal("M=2") == "--shape: N is not given");
  CHECK(shape_refusal("M=2,K=3") == "--shape: no dimension 'K'");
  CHECK(shape_refusal("M=2,N=0.5") == "--shape: N is no whole number from 1");
}

TEST_CASE("times and parts on the command line") {
  CHECK(cli::seconds_of("90s") == 90);
  CHECK(cli::seconds_of("10m") == 600);
  CHECK(cli::seconds_of("1.5h") == 5400);
  CHECK(cli::seconds_of("2") == 120);
  for (const char* wrong : {"", "m", "-1", "0s", "10d"}) CHECK_THROWS_AS(cli::seconds_of(wrong), Error);
  CHECK(cli::shard_of("2/4").k == 2);
  for (const char* wrong : {"", "2", "0/4", "5/4", "1.5/2", "a/b"})
    CHECK_THROWS_AS(cli::shard_of(wrong), Error);
}
