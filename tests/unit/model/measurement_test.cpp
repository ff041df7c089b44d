#include "model/measurement.h"

#include <doctest/doctest.h>

#include "base/text.h"
#include "model/json.h"

using namespace explog;

namespace {

Measurement example() {
  Measurement m;
  m.task = "softmax";
  m.task_hash = "aa";
  m.gpu = "H200 \"x\"";
  m.baseline = {"naive.cu", "bb"};
  m.candidate = {"fast.cu", "cc"};
  m.clock = "cupti";
  m.flush_bytes = 268435456;
  m.sync_inside = true;
  m.correctness = "pass";
  m.imported_from = TaskOrigin{sol_exec_bench, "rmsnorm_h4096", {R"({"uuid":"7","axes":{"N":4096}})"}};
  m.checked = {{{{"N", 4096}, {"D", 64}}, 0.25, 1e300}};
  m.warnings = {"shared_gpu"};
  ShapeRun shape;
  shape.dims = {{"N", 4096}, {"D", 64}};
  shape.bytes = 1e9;
  shape.sol_ms = 0.3;
  shape.floor_ms = 0.1 + 0.2;
  shape.stop = "precision";
  Block block;
  block.passes[0] = {{0.1, 1.0 / 3}, 1980};
  block.passes[1] = {{5e-324, 1e300}, 1979.5};
  block.passes[2] = {{0.30000000000000004}, 0};
  block.order = {Arm::baseline_again, Arm::baseline, Arm::candidate};
  Block empty;
  empty.discarded = "throttled";
  shape.blocks = {block, empty};
  m.runs = {{{shape}}, {{shape, shape}}};
  return m;
}

// What parsing says once `from` is replaced by `to` in the example's JSON.
std::string error_of(const std::string& from, const std::string& to) {
  std::string json = to_json(example()), changed = replace_all(json, from, to);
  REQUIRE(changed != json);
  try {
    parse_measurement(changed);
  } catch (const JsonError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a measurement reads back as it was written, to the last bit") {
  Measurement m = example(), back = parse_measurement(to_json(m));
  CHECK(to_json(back) == to_json(m));
  CHECK(back.gpu == m.gpu);
  CHECK(back.sync_inside);
  CHECK(back.imported_from == m.imported_from);
  REQUIRE(back.checked.size() == 1);
  CHECK(back.checked[0].dims == m.checked[0].dims);
  CHECK(back.checked[0].max_abs == 0.25);
  CHECK(back.checked[0].max_rel == 1e300);
  REQUIRE(back.runs.size() == 2);
  REQUIRE(back.runs[1].shapes.size() == 2);
  const ShapeRun& shape = back.runs[1].shapes[1];
  CHECK(shape.dims == m.runs[0].shapes[0].dims);
  CHECK(shape.floor_ms == 0.1 + 0.2);
  CHECK(shape.blocks[0].passes[1].ms == std::vector<double>{5e-324, 1e300});
  CHECK(shape.blocks[0].passes[1].sm_mhz == 1979.5);
  CHECK(shape.blocks[0].order == std::array<Arm, 3>{Arm::baseline_again, Arm::baseline, Arm::candidate});
  CHECK(shape.blocks[1].discarded == "throttled");
}

TEST_CASE("samples are written compactly") {
  std::string json = to_json(example());
  CHECK(
      json.find("{\"order\":[2,0,1],\"ms\":[[0.1,0.3333333333333333],[5e-324,1e+300],[0.30000000000000004]],"
                "\"sm_mhz\":[1980,1979.5,0]}") != std::string::npos);
  CHECK(json.find('\n') == std::string::npos);
}

TEST_CASE("a measurement without times is valid: the candidate failed before") {
  Measurement m;
  m.correctness = "compile_error";
  CHECK(parse_measurement(to_json(m)).runs.empty());
}

TEST_CASE("another format is refused before anything else") {
  CHECK(error_of("\"format\":6", "\"format\":7,\"new\":0") ==
        "this file is of format 7, this explog reads 1 to 6");
  CHECK(error_of("\"format\":6", "\"format\":2.5").starts_with("this file is of format 2.5"));
  CHECK(error_of("\"format\":6", "\"form\":6") == "format: missing");
  CHECK_THROWS_WITH_AS(parse_measurement("[]"), "measurement: expected an object", JsonError);
}

// As a program of format 2 wrote it.
static std::string without_errors(const std::string& json) {
  std::string text = replace_all(json, "\"format\":6", "\"format\":2");
  size_t begin = text.find("\"imported_from\":"), end = text.find("\"warnings\":");
  return text.erase(begin, end - begin);
}

TEST_CASE("format 5 is read: its shapes counted alike") {
  std::string json = to_json(example());
  CHECK(json.find("weight") == std::string::npos);
  CHECK(to_json(parse_measurement(replace_all(json, "\"format\":6", "\"format\":5"))) == json);
  Measurement m = example();
  m.runs[0].shapes[0].weight = 0.5;
  json = to_json(m);
  CHECK(parse_measurement(json).runs[0].shapes[0].weight == 0.5);
  CHECK_THROWS_WITH_AS(parse_measurement(replace_all(json, "\"weight\":0.5", "\"weight\":0")),
                       "runs[0].shapes[0].weight: must be above 0", JsonError);
}

TEST_CASE("format 4 is read: it told nothing of what was saved apart") {
  std::string json = to_json(example());
  CHECK(json.find("apart_saved_ms") == std::string::npos);
  CHECK(to_json(parse_measurement(replace_all(json, "\"format\":6", "\"format\":4"))) == json);
  Measurement m = example();
  m.runs[0].shapes[0].apart_saved_ms = {0.5, -0.25};
  CHECK(parse_measurement(to_json(m)).runs[0].shapes[0].apart_saved_ms == std::vector<double>{0.5, -0.25});
}

TEST_CASE("format 3 is read: it told no launch times") {
  std::string json = to_json(example());
  CHECK(json.find("launch_ms") == std::string::npos);
  CHECK(to_json(parse_measurement(replace_all(json, "\"format\":6", "\"format\":3"))) == json);
  Measurement m = example();
  m.runs[0].shapes[0].launch_ms = 0.0125;
  CHECK(parse_measurement(to_json(m)).runs[0].shapes[0].launch_ms == 0.0125);
}

TEST_CASE("format 2 is read: it told no errors, and nothing of where the task is from") {
  std::string json = to_json(example());
  Measurement old = parse_measurement(without_errors(json));
  CHECK(old.checked.empty());
  CHECK_FALSE(old.imported_from);
  CHECK(to_json(old).find("\"checked\":[]") != std::string::npos);
  CHECK_THROWS_WITH_AS(parse_measurement(replace_all(json, "\"format\":6", "\"format\":2")),
                       "imported_from: unknown field", JsonError);
}

TEST_CASE("format 1 is read: it did not say what was timed either") {
  Measurement m = example();
  m.runner = "in_process", m.runner_reason = "why";
  std::string json = without_errors(to_json(m));
  CHECK(parse_measurement(json).runner == "in_process");
  CHECK(parse_measurement(json).runner_reason == "why");
  json = replace_all(json, "\"format\":2", "\"format\":1");
  CHECK_THROWS_WITH_AS(parse_measurement(json), "runner: unknown field", JsonError);
  json = replace_all(json,
                     "\"runner\":\"in_process\",\"runner_reason\":\"why\",\"in_process_allowed\":false,", "");
  CHECK(parse_measurement(json).runner.empty());
}

TEST_CASE("errors and the origin of the task are read strictly") {
  CHECK(error_of("\"max_rel\":1e+300", "\"max_rel\":-1") == "checked[0].max_rel: must not be negative");
  CHECK(error_of("\"max_abs\":0.25,", "") == "checked[0].max_abs: missing");
  CHECK(error_of("\"max_abs\":0.25", "\"max_abs\":0.25,\"mean\":1") == "checked[0].mean: unknown field");
  CHECK(error_of("\"definition\":\"rmsnorm_h4096\"", "\"definition\":\"\"") ==
        "imported_from: \"definition\" must be text");
  CHECK(error_of("[{\"uuid\":\"7\",\"axes\":{\"N\":4096}}]", "[7]") ==
        "imported_from: each of \"workloads\" must be an object");
}

TEST_CASE("unknown and missing fields are errors that name their path") {
  CHECK(error_of("\"gpu\":", "\"gpus\":") == "gpu: missing");
  CHECK(error_of("\"mode\":", "\"speed\":1,\"mode\":") == "speed: unknown field");
  CHECK(error_of("\"stop\":", "\"halt\":1,\"stop\":") == "runs[0].shapes[0].halt: unknown field");
  CHECK(error_of("\"hash\":\"bb\"", "\"hash\":\"bb\",\"x\":1") == "baseline.x: unknown field");
  CHECK(error_of("\"hash\":\"bb\"", "\"hash\":7") == "baseline.hash: expected text");
  CHECK(error_of("[\"shared_gpu\"]", "\"shared_gpu\"") == "warnings: expected a list");
  CHECK(error_of("\"sync_inside\":true", "\"sync_inside\":1") == "sync_inside: expected true or false");
  CHECK(error_of("\"runner\":\"\"", "\"runner\":\"guess\"") ==
        "runner: expected replay, in_process, host or external");
  CHECK(error_of("\"correctness\":\"pass\"", "\"correctness\":\"\"") == "correctness: must not be empty");
}

TEST_CASE("blocks have three passes, an order of three arms and times above zero") {
  const std::string block = "runs[0].shapes[0].blocks[0].";
  CHECK(error_of(",[0.30000000000000004]]", "]") == block + "ms: expected 3 entries, one for each pass");
  CHECK(error_of("[2,0,1]", "[2,0,2]") == block + "order: expected 0, 1 and 2, each once");
  CHECK(error_of("[2,0,1]", "[2,0]") == block + "order: expected 3 entries, one for each pass");
  CHECK(error_of("[2,0,1]", "[3,0,1]") == block + "order: expected 0, 1 and 2, each once");
  CHECK(error_of("[0.1,0.3333333333333333]", "[0.1,0]") == block + "ms[0][1]: a time must be above 0");
  CHECK(error_of("[0.1,0.3333333333333333]", "[0.1,null]") == block + "ms[0][1]: expected a number");
  CHECK(error_of("[0.1,0.3333333333333333]", "[]") == block + "ms[0]: no samples");
  CHECK(error_of("[1980,1979.5,0]", "[1980,-1,0]") == block + "sm_mhz[1]: must not be negative");
  CHECK(error_of("[1980,1979.5,0]", "[1980]") == block + "sm_mhz: expected 3 entries, one for each pass");
  CHECK(error_of("\"throttled\"", "0") == "runs[0].shapes[0].blocks[1].discarded: expected text");
  CHECK(error_of("[0.1,", "[1e999,") != "");
}

TEST_CASE("dimensions are whole numbers from 1") {
  for (const char* size : {"0", "-1", "1.5", "1e300"}) CHECK(error_of("4096", size) != "");
  CHECK(error_of("4096", "0") == "checked[0].dims.N: expected a whole number from 1");
}
