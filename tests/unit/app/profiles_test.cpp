// Profiles: which peaks a kernel is held against, and what a record keeps of it.
#include "app/records/profiles.h"

#include <doctest/doctest.h>

#include "app/judge/profile_candidate.h"
#include "scratch.h"

using namespace explog;
using diagnose::Roof;

namespace {

// A database that holds nothing; the ceilings of no GPU are known in it.
struct Store {
  Scratch folder;
  app::Session session;
  Store() {
    session.db_path = folder / "test.db";
    session.clock = [] { return std::int64_t{1767323045000}; };
    session.writer();
  }
};

Launch launch_on(const char* arch) {
  Launch launch;
  launch.kernel = "softmax";
  launch.arch = arch;
  return launch;
}

}  // namespace

TEST_CASE("peaks of the kind: the launch's own counters, else the largest card of its arch") {
  Store store;
  sql::Db db = store.session.reader();
  diagnose::Subject bare = app::subject_of(launch_on("sm_90"), "", {}, db);
  CHECK(peak(bare.nominal, Roof::dram).source == "largest card");
  Launch counted = launch_on("sm_90");
  counted.metrics = {{"dram__bytes.sum.peak_sustained", 1504},
                     {"dram__cycles_elapsed.avg.per_second", 3.2e9}};
  diagnose::Subject s = app::subject_of(counted, "", {}, db);
  CHECK(peak(s.nominal, Roof::dram).value == doctest::Approx(1504 * 3.2e9));
  CHECK(peak(s.nominal, Roof::fp32).source == "largest card");
}

TEST_CASE("given peaks win, and leave those of the kind alone") {
  Store store;
  sql::Db db = store.session.reader();
  app::BesideCounters known;
  known.peaks = app::peaks_named({{"dram", 1e12}});
  diagnose::Subject s = app::formula_subject(launch_on("sm_90"), "", known, db);
  CHECK(peak(s.peaks, Roof::dram).value == 1e12);
  CHECK(peak(s.nominal, Roof::dram).value > 3e12);
}

TEST_CASE("a bench without counters knows the peaks of the kind too") {
  Store store;
  Dims dims = {{"N", 1024}};
  Measurement m;
  m.arch = "sm_90";
  m.runs.emplace_back().shapes.emplace_back().dims = dims;
  m.runs[0].shapes[0].bytes = 1e6;
  bench::Verdict verdict;
  verdict.shapes.emplace_back().dims = dims;
  verdict.shapes[0].baseline_ms = verdict.shapes[0].candidate_ms = 1;
  auto subjects = app::formula_subjects(m, verdict, Task{}, store.session);
  REQUIRE(subjects.size() == 2);
  CHECK(peak(subjects[1].nominal, Roof::dram).value > 3e12);
}

TEST_CASE("a record takes from a profile what it does not say itself") {
  diagnose::Subject s;
  s.role = "before";
  s.launch = launch_on("sm_90");
  s.launch.metrics = {{"gpu__time_duration.sum", 1000}, {"launch__grid_size", 32}};
  s.launch.texts = {{"device__attribute_display_name", "NVIDIA H200"}};
  s.diagnosis.label.word = "memory";
  s.diagnosis.stall = "barrier";
  Experience e;
  e.bottleneck = "latency";
  e.metrics_before = {{"launch__grid_size", 64}};
  app::add_profile(e, s);
  CHECK(e.arch == "sm_90");
  CHECK(e.gpu == "NVIDIA H200");
  CHECK(e.bottleneck == "latency");
  CHECK(e.stall == "barrier");
  CHECK(fact(e.metrics_before, "launch__grid_size") == 64);
  CHECK(fact(e.metrics_before, "gpu__time_duration.sum") == 1000);
  CHECK(e.metrics_after.empty());

  Experience after;
  s.role = "after";
  app::add_profile(after, s);
  CHECK(after.metrics_before.empty());
  CHECK(after.metrics_after.size() == 2);
  CHECK(after.bottleneck.empty());  // of the kernel before the change
}
