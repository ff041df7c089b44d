// Verdicts as other benchmarks' files: judged measurements in a real database, exported by the command.
#include "app/judge/export_results.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "answers/results.h"
#include "app/judge/attempt.h"
#include "base/file.h"
#include "bench/judge/record.h"
#include "hostile_session.h"
#include "model/json.h"

using namespace explog;

namespace {

std::string source_file(const std::string& name) {
  return read_file(std::string(EXPLOG_SOURCE_DIR) + "/" + name);
}

Measurement sol_rope() { return parse_measurement(trim(source_file("tests/data/judge/sol_rope.json"))); }

Measurement kernel_bench_problem() {
  Measurement m = sol_rope();
  m.imported_from = TaskOrigin{kernel_bench, "level1/88_MinGPTNewGelu.py", {}};
  return m;
}

// As `bench --record` leaves it.
void record(const Measurement& m) {
  Task task;
  task.kernel_type = "rope";
  app::Session session;
  session.clock = [] { return std::int64_t{1767323045000}; };
  auto list = bench::experiences_by_shape(m, bench::judge(m), task);
  for (Experience& e : list) e.strategy = "vectorized_access";
  app::record_attempt(session, m, std::move(list));
}

// The text behind a heading's first fence of that language.
std::string example(const std::string& heading, const std::string& language) {
  std::string page = source_file("schema/formats/results.md");
  size_t at = page.find("```" + language + "\n", page.find(heading));
  REQUIRE(at != std::string::npos);
  at += language.size() + 4;
  return page.substr(at, page.find("```", at) - at);
}

Json only_trace(const std::string& out) {
  REQUIRE(std::count(out.begin(), out.end(), '\n') == 1);
  return parse_json(trim(out));
}

}  // namespace

TEST_CASE("results.md: the trace is what export prints of that measurement") {
  hostile::Session session;
  record(sol_rope());
  hostile::Ran ran = session.run({"export", "--to", "flashinfer-bench"});
  CHECK(ran.code == 0);
  CHECK(ran.err == "");
  CHECK(ran.out == example("## Traces", "json"));
}

TEST_CASE("results.md: the files of KernelBench are what export writes of that measurement") {
  hostile::Session session;
  record(kernel_bench_problem());
  std::string folder = session.folder / "out";
  hostile::Ran ran = session.run({"export", "--to", "kernelbench", "--out", folder});
  CHECK(ran.code == 0);
  CHECK(ran.out ==
        "wrote runs/explog_NVIDIA_H200_level1/eval_results.json\n"
        "wrote results/timing/NVIDIA_H200/baseline_time_explog.json\n"
        "1 results of 1 measurements (1 records)\n");
  CHECK(read_file(folder + "/runs/explog_NVIDIA_H200_level1/eval_results.json") ==
        example("`eval_results.json`:", "json"));
  CHECK(read_file(folder + "/results/timing/NVIDIA_H200/baseline_time_explog.json") ==
        example("`baseline_time_explog.json`:", "json"));
}

TEST_CASE("each status carries what FlashInfer-Bench asks for with it, and nothing else") {
  struct Row {
    const char *correctness, *detail, *status;
    bool errors;
  };
  for (const Row& row :
       {Row{"wrong_values", "y[0] is 1", "INCORRECT_NUMERICAL", true},
        Row{"nan", "y[0]", "INCORRECT_NUMERICAL", true}, Row{"compile_error", "no", "COMPILE_ERROR", false},
        Row{"crash", "signal 11", "RUNTIME_ERROR", false}, Row{"timeout", "60 s", "TIMEOUT", false},
        Row{"stale_result", "cheat: kept", "REWARD_HACK", false}}) {
    CAPTURE(row.correctness);
    hostile::Session session;
    Measurement m = sol_rope();
    m.correctness = row.correctness, m.correctness_detail = row.detail;
    m.runs.clear();
    record(m);
    Json evaluation = only_trace(session.run({"export", "--to", "flashinfer-bench"}).out)["evaluation"];
    CHECK(evaluation["status"] == row.status);
    CHECK(evaluation.contains("correctness") == row.errors);
    CHECK_FALSE(evaluation.contains("performance"));
    if (std::string(row.correctness) == "nan")
      CHECK(evaluation["correctness"]["max_absolute_error"] == "NaN");
  }
}

TEST_CASE("FlashInfer-Bench knows no deceit: it is an error of the run there") {
  hostile::Session session;
  Measurement m = sol_rope();
  m.imported_from->format = flashinfer_bench;
  m.correctness = "stale_result", m.correctness_detail = "cheat: kept";
  m.runs.clear();
  record(m);
  Json trace = only_trace(session.run({"export", "--to", "flashinfer-bench"}).out);
  CHECK(trace["evaluation"]["status"] == "RUNTIME_ERROR");
}

TEST_CASE("what cannot be told of the user's records is named; what ships with explog is passed over") {
  setenv("EXPLOG_SHIPPED", "on", 1);
  hostile::Session session;
  session.run({"stats"});  // puts the shipped records in
  setenv("EXPLOG_SHIPPED", "off", 1);
  hostile::Ran none = session.run({"export", "--to", "flashinfer-bench"});
  CHECK(none.code == 1);
  CHECK(none.err.find("left out") == std::string::npos);
  record(sol_rope());
  record(kernel_bench_problem());
  Measurement old = sol_rope(), own = sol_rope();
  old.checked.clear();
  own.imported_from.reset();
  record(old);
  record(own);
  session.run({"add", "--kernel", "gemm", "--backend", "cuda", "--arch", "sm_90", "--strategy",
               "smem_padding", "--outcome", "success"});
  hostile::Ran ran = session.run({"export", "--to", "flashinfer-bench"});
  only_trace(ran.out);
  CHECK(ran.err.find("left out 1 record: measured on a task of KernelBench\n") != std::string::npos);
  CHECK(ran.err.find("left out 1 record: measured on a task that is from no benchmark") != std::string::npos);
  CHECK(ran.err.find("left out 1 record: no measurement of this program: added or imported\n") !=
        std::string::npos);
  CHECK(ran.err.find("left out 1 result: measured by an explog that kept no errors") != std::string::npos);
  CHECK(session.run({"export", "--to", "kernelbench"}).err.find("name it with --out") != std::string::npos);
}
