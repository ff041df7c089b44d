// T4 results out of the store, read back by explog's own reader and held against Kernel Tuner's schema where that is.
#include "app/tune/t4.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

#include "app/calibrate/sweep_store.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "hostile_session.h"
#include "model/json.h"

using namespace explog;

namespace {

const std::string gpu = "NVIDIA H200", toolkit = "CUDA 13.0.88";

Measurement configuration(const std::string& settings, double ms, const std::string& correctness = "pass") {
  Measurement m;
  m.task = "vector_add", m.backend = "cuda", m.gpu = gpu, m.toolkit = toolkit, m.arch = "sm_90";
  m.mode = "cold, light", m.clock = "cupti", m.correctness = correctness;
  m.baseline = {"naive.cu", "00"};
  m.candidate = {"mine.cu " + settings, settings};
  ShapeRun shape;
  shape.dims = {{"N", 1024}};
  if (correctness == "pass") {
    Block block;
    for (Arm arm : all_arms) of_arm(block.passes, arm).ms = {2, 2};
    of_arm(block.passes, Arm::candidate).ms = {ms, ms};
    shape.blocks = {block};
  }
  m.runs = {{{shape}}};
  return m;
}

Tuned result_of(std::size_t right, std::size_t failed) {
  Tuned t;
  t.key = {"vector_add", "elementwise", "mine.cu", "aa", {{"N", 1024}}, "f32",
           "cuda",       "sm_90",       gpu,       "",   toolkit};
  t.original = {{"BLOCK", 128.0}, {"VEC", 1.0}};
  t.best = {{"BLOCK", 256.0}, {"VEC", 1.0}};
  t.original_ms = 1, t.best_ms = 0.5, t.original_wins = false;
  t.faster = t.lo = t.hi = 2;
  t.complete = true, t.successes = right, t.failed = failed, t.configurations = right + failed;
  t.search = "exhaustive";
  return t;
}

// A session's database with a search of four configurations in it, two of another kernel and of another shape beside them.
struct Searched {
  hostile::Session shell;
  app::Session session;
  Searched() {
    session.clock = [] { return std::int64_t{1767323045000}; };
    Measurement elsewhere = configuration("BLOCK=64,VEC=1", 1);
    elsewhere.runs[0].shapes[0].dims = {{"N", 2048}};
    Measurement other = configuration("BLOCK=64,VEC=1", 1);
    other.candidate.file = "other.cu BLOCK=64,VEC=1";
    for (const Measurement& m : {configuration("BLOCK=128,VEC=1", 1), configuration("BLOCK=256,VEC=1", 0.5),
                                 configuration("BLOCK=128,VEC=4", 0, "wrong_values"),
                                 configuration("BLOCK=256,VEC=4", 0, "compile_error"),
                                 configuration("BLOCK=256,VEC=1", 0.7), elsewhere, other})
      app::record_measurement(session, m);
    app::record_tuned(result_of(2, 2), "measured", session);
  }
};

const std::string python_named = env("EXPLOG_PYTHON");  // before a test says otherwise

// What a validator of JSON schemas says of it: "valid", "invalid", or why there is none.
std::string by_schema(const std::string& path) {
  const std::string program = R"PY(
import importlib.util, json, pathlib, sys
spec = importlib.util.find_spec("kernel_tuner")
if spec is None: print("no kernel_tuner"); sys.exit()
try:
    import jsonschema
except ImportError:
    print("no jsonschema"); sys.exit()
folder = pathlib.Path(list(spec.submodule_search_locations)[0])
schema = json.loads((folder / "schema/T4/1.0.0/results-schema.json").read_text())
try:
    jsonschema.validate(json.loads(pathlib.Path(sys.argv[1]).read_text()), schema)
    print("valid")
except jsonschema.ValidationError:
    print("invalid")
)PY";
  const std::string python = python_named.empty() ? "python3" : python_named;
  return std::string(trim(run_program({"/usr/bin/env", python, "-c", program, path}, 60'000).output));
}

}  // namespace

TEST_CASE("every measured configuration of a search is a T4 result, once") {
  Searched searched;
  hostile::Ran ran = searched.shell.run({"tune", "export", "--to", "kernel_tuner_t4"});
  CHECK(ran.code == 0);
  CHECK(ran.err == "");
  Json file = parse_json(ran.out);
  CHECK(file["schema_version"] == "1.0.0");
  REQUIRE(file["results"].size() == 4);
  const Json& first = file["results"][0];
  CHECK(first["configuration"] == Json({{"BLOCK", 128}, {"VEC", 1}}));
  CHECK(first["invalidity"] == "correct");
  CHECK(first["measurements"][0] == Json({{"name", "time"}, {"value", 1}, {"unit", "ms"}}));
  CHECK(file["results"][1]["measurements"][0]["value"].get<double>() == doctest::Approx(0.6));
  CHECK(file["results"][1]["times"]["runtimes"].size() == 4);
  CHECK(file["results"][2]["invalidity"] == "correctness");
  CHECK(file["results"][2]["correctness"] == 0);
  CHECK(file["results"][3]["invalidity"] == "compile");
  CHECK(file["results"][3]["measurements"].empty());
}

TEST_CASE("what is exported as T4 is read back whole by explog's own reader") {
  Searched searched;
  std::string path = searched.shell.folder / "t4.json";
  searched.shell.run({"tune", "export", "vector_add", "--to", "kernel_tuner_t4", "--out", path});
  hostile::Session other;
  hostile::Ran ran = other.run({"import", path, "--format", "kernel_tuner_t4", "--json"});
  CHECK(ran.code == 0);
  // From BLOCK=128 to 256 and back, VEC 1 to 4 at both blocks (wrong, does not compile): all four were read.
  CHECK(parse_json(ran.out)["added"] == 4);
  hostile::Ran list = other.run({"export"});
  CHECK(list.out.find("\"latency_before_ms\":1,\"latency_after_ms\":0.6") != std::string::npos);
  for (const char* said :
       {"\"backend\":\"cuda\"", "\"kernel_type\":\"elementwise\"", "\"kernel\":\"mine.cu\"",
        "\"arch\":\"sm_90\"", "\"dtype\":\"f32\"", "\"shape\":{\"N\":1024}", "\"gpu\":\"NVIDIA H200\"",
        "\"toolkit\":\"CUDA 13.0.88\""})
    CHECK(list.out.find(said) != std::string::npos);
  CHECK(list.out.find("\"cause\":\"compile_error\"") != std::string::npos);
  CHECK(list.out.find("\"cause\":\"wrong_values\"") != std::string::npos);
}

TEST_CASE("T4 results fit Kernel Tuner's own schema") {
  Searched searched;
  std::string path = searched.shell.folder / "t4.json";
  searched.shell.run({"tune", "export", "--to", "kernel_tuner_t4", "--out", path});
  std::string said = by_schema(path);
  if (said.starts_with("no ")) {
    MESSAGE("skipped: ", said, " for this Python; EXPLOG_PYTHON names another");
    return;
  }
  CHECK(said == "valid");
  write_file(path, replace_all(read_file(path), "\"compile\"", "\"odd\""));
  CHECK(by_schema(path) == "invalid");
}

TEST_CASE("a store that lacks a search's configurations says so") {
  hostile::Session shell;
  app::Session session;
  session.clock = [] { return std::int64_t{1767323045000}; };
  app::record_tuned(result_of(9, 1), "measured", session);
  hostile::Ran none = shell.run({"tune", "export", "--to", "kernel_tuner_t4"});
  CHECK(none.code == 1);
  CHECK(none.err.find("the store holds none of that result's configurations") != std::string::npos);
  app::record_measurement(session, configuration("BLOCK=128,VEC=1", 1));
  hostile::Ran some = shell.run({"tune", "export", "--to", "kernel_tuner_t4"});
  CHECK(some.code == 0);
  CHECK(some.err.find("10 measured configurations, the store holds 1") != std::string::npos);
}
