#include "model/task.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "base/embedded.h"
#include "base/text.h"
#include "hostile_session.h"
#include "model/json.h"

using namespace explog;

namespace {

const std::string sample = R"json({
  "format": 1, "name": "scale", "title": "y = a x", "kernel_type": "elementwise", "dims": ["N", "D"],
  "arguments": [
    {"name": "x", "dtype": "f32", "role": "in", "shape": ["N", "D"], "fill": "positive", "scale": "1.0/sqrt(D)"},
    {"name": "y", "dtype": "f32", "role": "out", "shape": ["N", 2]},
    {"name": "a", "dtype": "f32", "role": "scalar", "value": 0.5}
  ],
  "backends": [{"name": "cuda", "baseline": "naive.cu", "timed": [{"N": 4096, "D": 64}]}],
  "hidden": [{"N": 1, "D": 3}], "distributions": ["normal", "integers"], "exact": ["integers"],
  "intermediate": "f32", "reduction": "D", "rows": "N", "flops": "N*D", "bytes": 8, "unit": "fp32",
  "reference": "reference.cpp", "torch": "eager.py", "deterministic": false, "loose": true
})json";

// What parsing says once `from` is replaced by `to` in the sample; "" when it is accepted.
std::string refusal(const std::string& from, const std::string& to) {
  std::string changed = replace_all(sample, from, to);
  REQUIRE(changed != sample);
  try {
    parse_task(changed);
  } catch (const JsonError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("every field of task.json is read") {
  Task t = parse_task(sample);
  CHECK(t.name == "scale");
  CHECK(t.title == "y = a x");
  CHECK(t.kernel_type == "elementwise");
  CHECK(t.dims == std::vector<std::string>{"N", "D"});
  REQUIRE(t.arguments.size() == 3);
  CHECK(t.argument("x")->fill == "positive");
  CHECK(t.argument("x")->scale == "1.0/sqrt(D)");
  CHECK(t.argument("y")->shape == std::vector<std::string>{"N", "2"});
  CHECK(t.argument("y")->scale == "1");
  CHECK(t.argument("a")->value == "0.5");
  CHECK(t.argument("nothing") == nullptr);
  CHECK(t.backend("cuda")->timed == std::vector<Dims>{{{"N", 4096}, {"D", 64}}});
  CHECK(t.backend("host") == nullptr);
  CHECK(t.hidden == std::vector<Dims>{{{"N", 1}, {"D", 3}}});
  CHECK(t.exact == std::vector<std::string>{"integers"});
  CHECK(t.bytes == "8");
  CHECK(t.torch == "eager.py");
  CHECK_FALSE(t.deterministic);
  CHECK(t.loose);
  CHECK(dims_text(t.hidden[0]) == "N=1,D=3");
}

TEST_CASE("a task reads back as it was written") {
  std::string written = to_json(parse_task(sample));
  CHECK(to_json(parse_task(written)) == written);
}

TEST_CASE("a written task has a line for each member, argument, backend and shape") {
  std::string written = to_json(parse_task(sample));
  CHECK(written.starts_with("{\n  \"format\": 1,\n  \"name\": \"scale\",\n"));
  CHECK(written.find(
            "\n    {\"name\": \"y\", \"dtype\": \"f32\", \"role\": \"out\", \"shape\": [\"N\", \"2\"]},\n") !=
        std::string::npos);
  CHECK(written.find("\n  \"hidden\": [\n    {\"N\": 1, \"D\": 3}\n  ],\n") != std::string::npos);
  CHECK(written.ends_with("\n  \"loose\": true\n}"));
}

TEST_CASE("every built-in task reads back as it was written") {
  int tasks = 0;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.ends_with("/task.json")) continue;
    CAPTURE(file.path);
    ++tasks;
    std::string written = to_json(parse_task(file.text));
    CHECK(to_json(parse_task(written)) == written);
    CHECK(parse_json(written).size() >= parse_json(file.text).size());  // nothing but defaults is added
  }
  CHECK(tasks >= 8);
}

TEST_CASE("`task show` prints each built-in task as the program reads it, `task list` names all of them") {
  hostile::Session session;
  std::string names = session.run({"task", "list", "--csv"}).out;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.ends_with("/task.json")) continue;
    Task task = parse_task(file.text);
    CAPTURE(task.name);
    hostile::Ran shown = session.run({"task", "show", task.name});
    CHECK(shown.code == 0);
    CHECK(shown.out == to_json(task) + "\n");
    CHECK(parse_json(session.run({"task", "show", task.name, "--json"}).out) == parse_json(to_json(task)));
    CHECK(names.find("\n" + task.name + ",") != std::string::npos);
  }
}

TEST_CASE("where a task is from, and the benchmark's own rule, are kept") {
  std::string imported = sample;
  imported.insert(imported.rfind('}'), R"(, "tolerance": {"max_atol": 0.001, "max_error_cap": 1},
    "imported_from": {"format": "SOL-ExecBench", "definition": "scale_d64",
                      "workloads": [{"uuid": "a-b", "axes": {"N": 4096}, "inputs": {"x": {"type": "random"}}}]})");
  Task t = parse_task(imported);
  REQUIRE(t.tolerance);
  CHECK(*t.tolerance == ForeignTolerance{0.001, 0.01, 0.99, 1});
  REQUIRE(t.imported_from);
  CHECK(t.imported_from->format == sol_exec_bench);
  CHECK(t.imported_from->definition == "scale_d64");
  CHECK(t.imported_from->workloads ==
        std::vector<std::string>{R"({"uuid":"a-b","axes":{"N":4096},"inputs":{"x":{"type":"random"}}})"});
  std::string written = to_json(t);
  CHECK(to_json(parse_task(written)) == written);
  auto refused = [&](const std::string& from, const std::string& to) {
    CAPTURE(to);
    std::string changed = replace_all(imported, from, to);
    REQUIRE(changed != imported);
    CHECK_THROWS_AS(parse_task(changed), JsonError);
  };
  refused("\"definition\": \"scale_d64\"", "\"definition\": 7");
  refused("\"max_atol\": 0.001", "\"max_atol\": -1");
  refused("\"max_atol\": 0.001", "\"required_matched_ratio\": 1.5");
  refused("\"max_error_cap\"", "\"max_cap\"");
  refused("\"workloads\": [", "\"workloads\": [7, ");
}

TEST_CASE("of two tolerances the stricter counts in each part") {
  ForeignTolerance t = strictest({0.1, 0.01, 0.9, std::nullopt}, {0.01, 0.1, 0.99, 2});
  CHECK(t == ForeignTolerance{0.01, 0.01, 0.99, 2});
  CHECK(strictest(t, {1, 1, 0, 1}).max_error_cap == 1.0);
  CHECK(strictest(t, {1, 1, 0, std::nullopt}).max_error_cap == 2.0);
}

TEST_CASE("what is optional has its default") {
  Task t = parse_task(R"({"format": 1, "name": "t", "kernel_type": "other", "arguments":
    [{"name": "y", "dtype": "u8", "role": "out", "shape": [1]}], "distributions": ["normal"], "reference": "r.cpp",
    "backends": [{"name": "host", "baseline": "b.cpp", "timed": [{}]}]})");
  CHECK(t.title.empty());
  CHECK(t.dims.empty());
  CHECK(t.hidden.empty());
  CHECK(t.intermediate == "f32");
  CHECK(t.unit == "fp32");
  CHECK(t.reduction == "1");
  CHECK(t.rows == "1");
  CHECK(t.flops == "0");
  CHECK(t.bytes == "0");
  CHECK(t.deterministic);
  CHECK_FALSE(t.loose);
}

TEST_CASE("another format and unknown keys are refused") {
  CHECK(refusal("\"format\": 1", "\"format\": 4") == "\"format\" is 4, this program reads 1 to 3");
  CHECK(refusal("\"format\": 1", "\"format\": 4, \"tuned\": true") ==
        "\"format\" is 4, this program reads 1 to 3");
  CHECK(refusal("\"format\": 1,", "") == "\"format\" is missing");
  CHECK(refusal("\"format\": 1", "\"format\": \"1\"") == "\"format\" is missing");
  CHECK(refusal("\"title\"", "\"titel\"") == "task: unknown key 'titel' (did you mean 'title'?)");
  CHECK(refusal("\"shape\": [\"N\", 2]", "\"shapes\": [\"N\"]") ==
        "arguments[1]: unknown key 'shapes' (did you mean 'shape'?)");
  CHECK(refusal("\"baseline\"", "\"base\"").find("backends[0]: unknown key 'base'") == 0);
  CHECK_THROWS_WITH_AS(parse_task("[]"), "task must be an object", JsonError);
  CHECK_THROWS_AS(parse_task("{"), JsonError);
  CHECK_THROWS_AS(parse_task(""), JsonError);
}

TEST_CASE("missing and mistyped fields are named") {
  for (const char* key : {"name", "kernel_type", "reference"}) {
    CHECK(refusal("\"" + std::string(key) + "\": \"", "\"title2\": \"") != "");
  }
  CHECK(refusal("\"kernel_type\": \"elementwise\",", "") == "task: \"kernel_type\" is missing");
  CHECK(refusal("\"reference\": \"reference.cpp\",", "") == "task: \"reference\" is missing");
  CHECK(refusal("eager.py", "eager.cu") == "\"torch\" must name a Python file (.py)");
  CHECK(refusal("\"title\": \"y = a x\"", "\"title\": null") == "task: \"title\" must be text");
  CHECK(refusal("\"deterministic\": false", "\"deterministic\": 0") ==
        "\"deterministic\" must be true or false");
  CHECK(refusal("\"dims\": [\"N\", \"D\"]", "\"dims\": \"N\"") == "task: \"dims\" must be a list");
  CHECK(refusal("\"exact\": [\"integers\"]", "\"exact\": [null]") ==
        "task: \"exact\" must hold text or numbers");
  CHECK(refusal("\"dtype\": \"f32\", \"role\": \"out\",", "\"role\": \"out\",") ==
        "arguments[1]: \"dtype\" is missing");
  CHECK(refusal("\"baseline\": \"naive.cu\",", "") == "backends[0]: \"baseline\" is missing");
}

TEST_CASE("lists that are no lists and entries that are no objects are refused, not fatal") {
  for (const char* wrong : {"{\"a\": 1}", "\"text\"", "7", "true", "null"}) {
    CAPTURE(wrong);
    std::string opening = sample.substr(0, sample.find("\"arguments\"")),
                rest = sample.substr(sample.find("\"backends\""));
    CHECK_THROWS_WITH_AS(parse_task(opening + "\"arguments\": " + wrong + "," + rest),
                         "task: \"arguments\" must be a list", JsonError);
    CHECK_THROWS_WITH_AS(parse_task(opening + "\"arguments\": [" + wrong + "]," + rest),
                         doctest::Contains("arguments[0]"), JsonError);
    CHECK(refusal("[{\"name\": \"cuda\", \"baseline\": \"naive.cu\", \"timed\": [{\"N\": 4096, \"D\": 64}]}]",
                  wrong) == "task: \"backends\" must be a list");
  }
  CHECK(refusal("[{\"N\": 1, \"D\": 3}]", "{\"N\": 1}") == "task: \"hidden\" must be a list");
  CHECK(refusal("[{\"N\": 1, \"D\": 3}]", "[3]") == "task.hidden[0] must be an object");
}

TEST_CASE("names are names, and none is used twice") {
  CHECK(refusal("\"scale\",", "\"my scale\",") == "task: 'my scale' is no name (letters, digits and _)");
  CHECK(refusal("\"name\": \"x\"", "\"name\": \"1x\"") ==
        "arguments[0]: '1x' is no name (letters, digits and _)");
  CHECK(refusal("[\"N\", \"D\"],\n  \"arg", "[\"N\", \"\"],\n  \"arg") ==
        "\"dims\": '' is no name (letters, digits and _)");
  CHECK(refusal("\"name\": \"y\"", "\"name\": \"x\"") == "two arguments are named 'x'");
  CHECK(refusal("\"dims\": [\"N\", \"D\"]", "\"dims\": [\"N\", \"D\", \"D\"]") ==
        "two dimensions are named 'd'");
  CHECK(refusal("[{\"name\": \"cuda\"",
                "[{\"name\": \"cuda\", \"baseline\": \"b.cu\", \"timed\": [{\"N\": 1, \"D\": 1}]},"
                "{\"name\": \"cuda\"") == "two backends are named 'cuda'");
  std::string longest(64, 'a');
  CHECK(refusal("\"scale\",", "\"" + longest + "\",") == "");
  CHECK(refusal("\"scale\",", "\"" + longest + "a\",") != "");
}

TEST_CASE("words outside the vocabularies are refused with the nearest") {
  CHECK(refusal("\"dtype\": \"f32\", \"role\": \"in\"", "\"dtype\": \"f31\", \"role\": \"in\"") ==
        "arguments[0]: unknown dtype 'f31' (f32 f64 f16 bf16 i32 i64 u8)");
  CHECK(refusal("\"role\": \"out\"", "\"role\": \"output\"") ==
        "arguments[1]: unknown role 'output' (in out inout scalar workspace)");
  CHECK(refusal("\"positive\"", "\"postive\"") ==
        "arguments[0]: unknown 'postive' (did you mean 'positive'?)");
  CHECK(refusal("\"cuda\"", "\"coda\"") == "backends[0]: unknown 'coda' (did you mean 'cuda'?)");
  CHECK(refusal("[\"normal\",", "[\"normla\",") ==
        "\"distributions\": unknown 'normla' (did you mean 'normal'?)");
  CHECK(refusal("\"exact\": [\"integers\"]", "\"exact\": [\"sparse\"]") == "\"exact\": unknown 'sparse'");
  CHECK(refusal("\"intermediate\": \"f32\"", "\"intermediate\": \"fp32\"") ==
        "\"intermediate\": unknown 'fp32' (did you mean 'f32'?)");
  CHECK(refusal("\"unit\": \"fp32\"", "\"unit\": \"fp33\"").find("\"unit\": unknown 'fp33'") == 0);
}

TEST_CASE("dimensions are whole numbers from 1, each given") {
  CHECK(refusal("\"N\": 4096", "\"N\": 0") == "backends[0].timed[0]: N must be 1 or more");
  CHECK(refusal("\"N\": 4096", "\"N\": -1") == "backends[0].timed[0]: N must be 1 or more");
  CHECK(refusal("\"N\": 4096", "\"N\": 1.5") == "backends[0].timed[0]: N must be 1 or more");
  CHECK(refusal("\"N\": 4096", "\"N\": \"4096\"") == "backends[0].timed[0]: N must be 1 or more");
  CHECK(refusal("\"N\": 1, \"D\": 3", "\"N\": 1") == "task.hidden[0]: D is missing");
  CHECK(refusal("\"N\": 1, \"D\": 3", "\"N\": 1, \"D\": 3, \"Batch\": 1") ==
        "task.hidden[0]: unknown key 'Batch'");
}

TEST_CASE("a task must have outputs, shapes, distributions and values for its scalars") {
  CHECK(refusal("\"role\": \"out\"", "\"role\": \"workspace\"") ==
        "no argument is an output, so there is nothing to compare");
  CHECK(refusal("[{\"N\": 4096, \"D\": 64}]", "[]") ==
        "backends[0]: \"timed\" holds no shape, so there is nothing to judge");
  CHECK(refusal("[{\"name\": \"cuda\", \"baseline\": \"naive.cu\", \"timed\": [{\"N\": 4096, \"D\": 64}]}]",
                "[]") == "\"backends\" is empty: name a baseline and the shapes to time");
  CHECK(refusal("\"distributions\": [\"normal\", \"integers\"], \"exact\": [\"integers\"]",
                "\"distributions\": []") == "\"distributions\" is empty: name at least normal");
  CHECK(refusal(", \"value\": 0.5", "") == "arguments[2]: a scalar needs \"value\"");
  CHECK(refusal(", \"shape\": [\"N\", 2]", "") == "arguments[1]: \"shape\" is missing");
}

TEST_CASE("sizes and significands of the element types") {
  for (auto [name, bytes, bits] : {std::tuple("f32", 4, 24),
                                   {"f64", 8, 53},
                                   {"f16", 2, 11},
                                   {"bf16", 2, 8},
                                   {"i32", 4, 0},
                                   {"i64", 8, 0},
                                   {"u8", 1, 0}}) {
    const std::string type = name;
    CAPTURE(type);
    Dtype dtype = parse_dtype(type).value();
    CHECK(dtype_name(dtype) == type);
    CHECK(dtype_bytes(dtype) == static_cast<size_t>(bytes));
    CHECK(significand_bits(dtype) == bits);
    CHECK(is_float(dtype) == (bits > 0));
  }
  CHECK_FALSE(parse_dtype("f8"));
}

TEST_CASE("weights of timed shapes are format 3") {
  const std::string shape = R"("timed": [{"N": 4096, "D": 64}])";
  const std::string two = R"("timed": [{"N": 4096, "D": 64}, {"N": 1, "D": 64}], "weights": [2, 0.5])";
  const std::string with = replace_all(replace_all(sample, "\"format\": 1", "\"format\": 3"), shape, two);
  Task t = parse_task(with);
  CHECK(t.backend("cuda")->weight_of({{"N", 1}, {"D", 64}}) == 0.5);
  CHECK(t.backend("cuda")->weight_of({{"N", 2}, {"D", 64}}) == 1);
  CHECK(parse_task(sample).backend("cuda")->weight_of({{"N", 4096}, {"D", 64}}) == 1);
  CHECK(to_json(t).find("\"format\": 3") != std::string::npos);
  CHECK(to_json(parse_task(to_json(t))) == to_json(t));
  CHECK(refusal(shape, two) == "backends[0]: \"weights\" needs \"format\": 3");
  for (const char* wrong : {"[2]", "[2, 0]", "[2, -1]", "[2, \"a\"]", "2"}) {
    CAPTURE(wrong);
    CHECK_THROWS_WITH_AS(
        parse_task(replace_all(with, "[2, 0.5]", wrong)),
        "backends[0]: \"weights\" must hold a number above 0 for each timed shape, in their order",
        JsonError);
  }
}

TEST_CASE("inputs of files are format 2; what has none is written as format 1") {
  std::string with = replace_all(
      replace_all(sample, "\"format\": 1", "\"format\": 2"), "\"loose\": true",
      R"("loose": true, "data": [{"shape": {"N": 4, "D": 2}, "inputs": {"x": "inputs/a.safetensors#x#y"}}])");
  Task t = parse_task(with);
  REQUIRE(t.given.size() == 1);
  CHECK(t.given[0].inputs == std::vector<GivenInput>{{"x", "inputs/a.safetensors", "x#y"}});
  CHECK(t.given_at({{"N", 4}, {"D", 2}}) == &t.given[0]);
  CHECK(t.given_at({{"N", 4}, {"D", 3}}) == nullptr);
  CHECK(parse_task(to_json(t)).given == t.given);
  CHECK(to_json(t).find("\"format\": 2") != std::string::npos);
  CHECK(to_json(parse_task(sample)).find("\"format\": 1") != std::string::npos);
  auto refused = [&](const std::string& from, const std::string& to) {
    try {
      parse_task(replace_all(with, from, to));
    } catch (const JsonError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(refused("\"format\": 2", "\"format\": 1") == "\"data\" needs \"format\": 2");
  CHECK(refused("\"format\": 2", "\"format\": 4") == "\"format\" is 4, this program reads 1 to 3");
  CHECK(refused("inputs/a", "../a") == "data[0].x: '../a.safetensors' is no path below the task's folder");
  CHECK(refused("inputs/a", "/a") == "data[0].x: '/a.safetensors' is no path below the task's folder");
  CHECK(refused("#x#y", "#") == "data[0].x: 'inputs/a.safetensors#' names no tensor: write FILE#TENSOR");
  CHECK(refused("{\"x\": \"inputs", "{\"y\": \"inputs") == "data[0]: 'y' is no input of the task");
}
