#include <doctest/doctest.h>

#include <set>

#include "app/calibrate/sweep_records.h"
#include "base/embedded.h"
#include "base/error.h"
#include "bench/sweep.h"
#include "model/json.h"
#include "model/playbook.h"

using namespace explog;
using namespace explog::bench;

namespace {

Sweep sweep_of(const std::string& parameters, const std::string& where = "[]") {
  return parse_sweep(R"({"format": 1, "file": "a.cu", "parameters": )" + parameters + R"(, "where": )" +
                     where + "}");
}

// Its configurations as text.
std::vector<std::string> texts_of(const Sweep& sweep) {
  std::vector<std::string> list;
  for (const Configuration& c : configurations(sweep))
    list.push_back(settings_text(settings_of(sweep.space, c)));
  return list;
}

std::string refusal(const std::string& json) {
  try {
    configurations(parse_sweep(json));
  } catch (const JsonError& e) {
    return e.what();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

std::string with(const std::string& members) { return R"({"format": 1, "file": "a.cu", )" + members + "}"; }

// A measurement of a configuration whose calls all take `ms`; not right when `reason` says so.
Measurement measurement_of(const SweepWork& work, std::size_t i, double ms,
                           const std::string& reason = "pass") {
  Measurement m = named_measurement(work, i, {{"N", 64}});
  m.backend = "cuda";
  m.gpu = "NVIDIA H200";
  m.arch = "sm_90";
  m.correctness = reason;
  if (reason != "pass") return m;
  Block block;
  block.passes[0].ms = block.passes[2].ms = std::vector<double>(9, 1.0);
  for (int k = 0; k < 21; ++k) block.passes[1].ms.push_back(ms * (1 + 0.001 * (k % 3 - 1)));
  m.runs[0].shapes[0].blocks = {block};
  return m;
}

SweepWork work_of(const Sweep& sweep) {
  SweepWork work;
  work.task.task.name = "t";
  work.task.task.kernel_type = "transpose";
  work.sweep = sweep;
  work.source = {"a.cu", "", "int x = BLOCK_X;\n"};
  work.configurations = configurations(sweep);
  return work;
}

const Experience* find(const std::vector<Experience>& list, const std::string& strategy, double from) {
  for (const Experience& e : list) {
    if (e.strategy == strategy && std::get<double>(e.params[1].second) == from) return &e;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("a sweep's configurations: every combination for which the conditions hold, in order") {
  CHECK(texts_of(sweep_of(R"({"A": [1, 2], "B": [8, 4]})")) ==
        std::vector<std::string>{"A=1,B=8", "A=1,B=4", "A=2,B=8", "A=2,B=4"});
  CHECK(texts_of(sweep_of(R"({"A": [1, 2], "B": [8, 4]})", R"(["A * B <= 8", "B / 3 = 2 OR A = 2"])")) ==
        std::vector<std::string>{"A=1,B=8", "A=2,B=4"});
}

TEST_CASE("a sweep that is wrong is refused with the key that is") {
  CHECK(refusal("[]") == "a sweep must be an object");
  CHECK(refusal(R"({"format": 2, "file": "a.cu", "parameters": {"A": [1]}})") ==
        "\"format\" is 2, this program reads 1");
  CHECK(refusal(R"({"format": 2, "axes": {}})") == "\"format\" is 2, this program reads 1");
  CHECK(refusal(R"({"format": 1, "file": "b/a.cu", "parameters": {"A": [1]}})") ==
        "\"file\" must lie beside the sweep: no folders");
  CHECK(refusal(with(R"("parameter": {})")) ==
        "a sweep: unknown key 'parameter' (did you mean 'parameters'?)");
  CHECK(refusal(with(R"("parameters": {})")) == "\"parameters\" must be an object of 1 to 16 lists");
  CHECK(refusal(with(R"("parameters": {"A": [1, 1]})")) == "parameter A: 1 is listed twice");
  CHECK(refusal(with(R"("parameters": {"A": [1.5]})")) == "parameter A: a value is no whole number");
  CHECK(refusal(with(R"("parameters": {"A": [1], "a": [2]})")) == "two parameters are named 'a'");
  CHECK(refusal(with(R"("parameters": {"A;": [1]})")).find("is no name of a parameter") != std::string::npos);
  CHECK(refusal(with(R"("parameters": {"A": [1]}, "where": ["A >"])")) ==
        "sweep of a.cu: cannot evaluate 'A >'");
  CHECK(refusal(with(R"("parameters": {"A": [1]}, "where": ["C = 1"])")) ==
        "sweep of a.cu: cannot evaluate 'C = 1'");
  CHECK(refusal(with(R"("parameters": {"A": [1]}, "where": ["A > 1"])")) ==
        "sweep of a.cu: its conditions leave no configuration");
  CHECK(refusal(with(R"("parameters": {"A": [1]}, "where": ["1) UNION SELECT (9"])")) ==
        "sweep of a.cu: the conditions give A a value that is not listed");
}

TEST_CASE("a configuration is the source with its macros in front; lines keep their numbers") {
  Sweep sweep = sweep_of(R"({"BLOCK_X": [32], "UNROLL": [4]})");
  Settings settings = settings_of(sweep.space, configurations(sweep)[0]);
  SourceFile source = configured({"a.cu", "", "int x;\n"}, settings);
  CHECK(source.text == "#define BLOCK_X 32\n#define UNROLL 4\n#line 1 \"a.cu\"\nint x;\n");
  CHECK(configuration_name(sweep, settings) == "a.cu BLOCK_X=32,UNROLL=4");
}

TEST_CASE("the shipped sweeps are whole: a kernel, defaults for each macro, strategies of the playbook") {
  Playbook playbook = Playbook::load("");
  std::set<std::string> families;
  for (const char* backend : {"cuda", "host"}) {
    for (const FoundSweep& found : embedded_sweeps(backend)) {
      CAPTURE(found.task);
      auto text = embedded_file("kernels/" + found.task + "/" + found.sweep.file);
      REQUIRE(text.has_value());
      std::size_t n = configurations(found.sweep).size();
      bool cuda = std::string(backend) == "cuda";
      if (cuda) families.insert(found.task);
      CHECK(n >= (cuda ? 290u : 20u));
      for (const Parameter& p : found.sweep.space.parameters)
        CHECK(text->find("#ifndef " + p.name + "\n") != std::string::npos);
    }
  }
  CHECK(families == std::set<std::string>{"gemm_f32", "stencil", "transpose"});
}

TEST_CASE("changes of one parameter become records: names, direction, outcome, what failed") {
  SweepWork work = work_of(sweep_of(R"({"BLOCK_X": [8, 16, 32], "SMEM_TILING": [0, 1]})"));
  app::Measured measured(6);
  measured[0] = measurement_of(work, 0, 2.0);                // 8, off
  measured[1] = measurement_of(work, 1, 1.95);               // 8, on
  measured[2] = measurement_of(work, 2, 1.0);                // 16, off
  measured[3] = measurement_of(work, 3, 0, "launch_error");  // 16, on
  measured[4] = measurement_of(work, 4, 0, "wrong_values");  // 32, off; 32, on is not measured yet
  auto list = app::sweep_experiences(work, measured);
  CHECK(list.size() == 5);
  const Experience* up = find(list, "block_x:up", 8);
  REQUIRE(up != nullptr);
  CHECK(up->outcome == "success");
  CHECK(*up->speedup == 2.0);
  CHECK(*up->speedup_lo < 2.0);
  CHECK(fact(up->state, "block_x") == 8);
  CHECK(fact(up->state, "smem_tiling") == 0);
  CHECK(fact(up->shape, "N") == 64);
  CHECK(up->source_before == "t/a.cu BLOCK_X=8,SMEM_TILING=0 N=64 NVIDIA H200");
  CHECK(find(list, "block_x:down", 16) == nullptr);              // the same pair of timings
  CHECK(find(list, "smem_tiling:on", 0)->outcome == "neutral");  // 2.6%
  const Experience* wrong = find(list, "block_x:up", 16);
  REQUIRE(wrong != nullptr);
  CHECK(wrong->cause == "wrong_values");
  CHECK(wrong->correctness == "fail");
  CHECK(find(list, "smem_tiling:off", 1) == nullptr);
}

TEST_CASE("a change that has no way back is recorded in its own direction") {
  SweepWork work = work_of(sweep_of(R"({"BLOCK_X": [4, 9, 16]})"));  // 4 doubles to 9, 16 halves to 4
  app::Measured measured = {measurement_of(work, 0, 4), measurement_of(work, 1, 2),
                            measurement_of(work, 2, 1)};
  auto list = app::sweep_experiences(work, measured);
  REQUIRE(list.size() == 2);
  CHECK(find(list, "block_x:up", 4) != nullptr);
  CHECK(find(list, "block_x:down", 16) != nullptr);
}

TEST_CASE("what a record says depends on its two measurements alone") {
  SweepWork work = work_of(sweep_of(R"({"BLOCK_X": [8, 16, 32]})"));
  app::Measured some = {measurement_of(work, 0, 2), measurement_of(work, 1, 1), std::nullopt};
  app::Measured all = some;
  all[2] = measurement_of(work, 2, 0.5);
  auto before = app::sweep_experiences(work, some), after = app::sweep_experiences(work, all);
  REQUIRE(before.size() == 1);
  for (const Experience& e : before) CHECK(std::find(after.begin(), after.end(), e) != after.end());
}

TEST_CASE("the light path's noise: the median's interval and the baseline's drift") {
  SweepWork work = work_of(sweep_of(R"({"BLOCK_X": [8]})"));
  Measurement m = measurement_of(work, 0, 2.0);
  auto still = quick_time(m);
  REQUIRE(still.has_value());
  CHECK(still->ms == doctest::Approx(2.0));
  CHECK(still->noise < 0.002);
  for (double& ms : m.runs[0].shapes[0].blocks[0].passes[2].ms) ms = 1.1;
  CHECK(quick_time(m)->noise > 0.045);
  CHECK_FALSE(quick_time(measurement_of(work, 0, 1, "nan")).has_value());
}

TEST_CASE("the awkward shape is the largest hidden one that has an odd dimension") {
  Task task;
  task.hidden = {{{"N", 1}}, {{"N", 33}}, {{"N", 4096}}, {{"N", 31}}};
  CHECK(dims_text(awkward_shape(task, {})) == "N=33");
  task.hidden = {{{"N", 2}}, {{"N", 4}}};
  CHECK(dims_text(awkward_shape(task, {})) == "N=4");
}
