#include "bench/foreign_task.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "bench/foreign_given.h"
#include "bench/foreign_parts.h"

using namespace explog;
using namespace explog::bench;

namespace {

std::string foreign(const std::string& name) {
  return read_file(std::string(EXPLOG_SOURCE_DIR) + "/tests/data/foreign/" + name);
}

std::vector<std::string> lines_of(const std::string& name) {
  std::vector<std::string> lines;
  for (std::string text = foreign(name); std::string_view line : split(text, '\n')) lines.emplace_back(line);
  return lines;
}

bool says(const std::vector<std::string>& lines, const std::string& part) {
  for (const std::string& line : lines) {
    if (line.find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE(
    "a definition: constant and computed axes are written out, varying ones are dimensions and scalars") {
  ForeignTask made =
      task_of_definition(sol_exec_bench, foreign("sol/definition.json"),
                         {R"({"axes":{"tokens":7},"inputs":{"scale":{"type":"scalar","value":0.5}}})"}, {});
  const Task& task = made.task;
  CHECK(task.dims == std::vector<std::string>{"tokens"});
  REQUIRE(task.arguments.size() == 6);
  CHECK(task.arguments[0].shape == std::vector<std::string>{"tokens", "64"});
  CHECK(task.arguments[1].shape == std::vector<std::string>{"tokens", "(64 / 2)"});
  CHECK(task.arguments[2].fill == "index");
  CHECK(task.arguments[3].role == Role::scalar);
  CHECK(task.arguments[3].value == "0.5");
  CHECK(task.arguments[4].role == Role::out);
  CHECK(task.arguments[5].value == "tokens");
  CHECK(task.bytes == "2*tokens*64 + 4*tokens*(64 / 2) + 4*tokens + 2*tokens*64");
  CHECK(task.reference == "ref.py");
  CHECK(made.files[0].second.find("\n\nreference = run") != std::string::npos);
  CHECK(task.backends[0].baseline == "ref.py");  // it uses PyTorch: a candidate can be judged at once
  CHECK(made.files[1].first == "candidate.cu");
  CHECK(made.files[1].second.find(
            "solve(const __nv_bfloat16* x, const float* angle, const int* place, float scale, "
            "__nv_bfloat16* y, int tokens)") != std::string::npos);
}

TEST_CASE("a reference that PyTorch does not run is no baseline: one is to be written") {
  std::string text = foreign("sol/definition.json");
  std::string numpy = replace_all(text, "import torch", "import numpy");
  REQUIRE(numpy != text);
  ForeignTask made = task_of_definition(sol_exec_bench, numpy, {R"({"axes":{"tokens":7}})"}, {});
  CHECK(made.task.backends[0].baseline == "baseline.cu");
  CHECK(made.files[1].first == "baseline.cu");
}

namespace {

// A solution with a source in CUDA and a header, its entry in `file`.
std::string compiled_solution(const std::string& code, const std::string& more) {
  return R"({"name":"fast","definition":"scaled_rotate","spec":{"languages":["cuda_cpp"],"entry_point":"main.cu::go")" +
         more + R"(},"sources":[{"path":"main.cu","content":")" + code +
         R"("},{"path":"lib/rows.h","content":""}]})";
}

std::string file_of(const ForeignTask& made, const std::string& name) {
  for (const auto& [file, text] : made.files) {
    if (file == "solutions/fast/" + name) return text;
  }
  return "";
}

ForeignTask with_solution(const std::string& solution) {
  return task_of_definition(sol_exec_bench, foreign("sol/definition.json"), {R"({"axes":{"tokens":7}})"},
                            {solution});
}

}  // namespace

TEST_CASE("a solution in CUDA whose entry takes tensors gets a caller that builds it") {
  std::string options =
      R"(,"destination_passing_style":false,"compile_options":{"cuda_cflags":["-O3"],"ld_flags":["-lcudnn"]})";
  ForeignTask made = with_solution(compiled_solution("PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}", options));
  std::string caller = file_of(made, "explog_run.py");
  CHECK(
      caller.find("SOURCES = [\"main.cu\"]\nBESIDE = [\"lib/rows.h\"]\nCFLAGS = []\nCUDA_CFLAGS = [\"-O3\"]\n"
                  "LDFLAGS = [\"-lcudnn\"]\nBINDING = \"torch\"\n") != std::string::npos);
  CHECK(caller.find("cpp_extension.load") != std::string::npos);
  CHECK(caller.ends_with(
      "def run(x, angle, place, scale):\n    return getattr(EXTENSION, \"go\")(x, angle, place, scale)\n"));
  CHECK(file_of(made, "explog_bind.cu").empty());
  CHECK(says(made.took, "solutions/fast/explog_run.py: a candidate, which builds the sources by PyTorch"));
}

TEST_CASE(
    "outputs are passed where the solution does not say that it returns them; a plain function is bound") {
  ForeignTask made = with_solution(compiled_solution("void go(torch::Tensor x) {}", ""));
  std::string caller = file_of(made, "explog_run.py");
  CHECK(caller.ends_with("(x, angle, place, scale, y)\n"));
  CHECK(caller.find("SOURCES = [\"explog_bind.cu\"]\nBESIDE = [\"lib/rows.h\",\"main.cu\"]\n") !=
        std::string::npos);
  CHECK(file_of(made, "explog_bind.cu").find("m.def(\"go\", &go)") != std::string::npos);
  made = with_solution(compiled_solution("#include <tvm/ffi/function.h>", ""));
  CHECK(file_of(made, "explog_run.py").find("BINDING = \"tvm_ffi\"") != std::string::npos);
}

TEST_CASE("what a definition cannot hand over is refused or named") {
  std::string text = foreign("sol/definition.json");
  std::string eighth = text;
  eighth.replace(eighth.find("bfloat16"), 8, "float8_e4m3fn");
  CHECK_THROWS_WITH_AS(task_of_definition(sol_exec_bench, eighth, {R"({"axes":{"tokens":7}})"}, {}),
                       "cannot be a task of explog: x is of the type float8_e4m3fn, which explog has not",
                       Error);
  CHECK_THROWS_WITH_AS(task_of_definition(sol_exec_bench, text, {}, {}),
                       "cannot be a task of explog: no workload gives every axis a size", Error);
  CHECK_THROWS_AS(task_of_definition(sol_exec_bench, "[1", {}, {}), Error);
  CHECK_THROWS_AS(task_of_definition(sol_exec_bench, R"({"axes":{"a":{"type":"odd"}}})", {}, {}), Error);
  ForeignTask made = task_of_definition(sol_exec_bench, text, lines_of("sol/workload.jsonl"),
                                        {foreign("sol/solution_triton.json")});
  CHECK(says(made.left_out,
             "the files of a workload with tokens=7, whose inputs are generated instead: angle: "
             "a.safetensors: there are no files here"));
  CHECK(made.task.given.empty());
  CHECK(says(made.left_out, "x: made by"));
  CHECK(says(made.took, "tolerance: 0.01 + 0.01 |r| for 99% of the elements; beside"));
  CHECK(says(made.left_out, "constraint 'tokens <= 4096'"));
  CHECK(says(made.left_out, "has the path '../out.py'"));
  for (const auto& [name, content] : made.files) CHECK(name.find("..") == std::string::npos);
}

TEST_CASE("an imported task keeps where it is from, its workloads and the strictest of their tolerances") {
  std::string definition = foreign("sol/definition.json");
  auto imported = [&](const std::vector<std::string>& workloads, const char* format = sol_exec_bench) {
    return task_of_definition(format, definition, workloads, {}).task;
  };
  Task task = imported(lines_of("sol/workload.jsonl"));
  REQUIRE(task.imported_from);
  CHECK(task.imported_from->format == "SOL-ExecBench");
  CHECK(task.imported_from->definition == "scaled_rotate");
  CHECK(task.imported_from->workloads.empty());  // their inputs are files', or made by code
  CHECK(*task.tolerance == ForeignTolerance{0.01, 0.01, 0.99, std::nullopt});
  std::vector<std::string> plain;
  for (const char* tokens : {"7", "128", "128", "4096"})
    plain.push_back(R"({"uuid":"u)" + std::to_string(plain.size()) + R"(","axes":{"tokens":)" + tokens +
                    R"(},"inputs":{"x":{"type":"random"},"scale":{"type":"scalar","value":0.5}}})");
  task = imported(plain);
  REQUIRE(task.imported_from->workloads.size() == 3);  // of two of one shape the first
  CHECK(task.imported_from->workloads[1] == plain[1]);
  // The task's scalar is 0.25 now: workloads with another are not what it times.
  plain[0] = R"({"uuid":"x","axes":{"tokens":7},"inputs":{"scale":{"type":"scalar","value":0.25}},)"
             R"("tolerance":{"max_atol":0.5,"max_rtol":0.001,"required_matched_ratio":1,"max_error_cap":3}})";
  task = imported(plain);
  CHECK(*task.tolerance == ForeignTolerance{0.01, 0.001, 1, 3});
  CHECK(task.imported_from->workloads == std::vector<std::string>{plain[0]});
  std::string bare = R"({"axes":{"tokens":7}})";
  CHECK(imported({bare}).tolerance);
  CHECK_FALSE(imported({bare}, flashinfer_bench).tolerance);
  CHECK_THROWS_AS(imported({R"({"axes":{"tokens":7},"tolerance":{"max_atol":-1}})"}), Error);
}

TEST_CASE(
    "a probe: sizes are expressions of its parameters, weights are inputs, and the model stays as it is") {
  ForeignTask made = task_of_probe(foreign("probe/conv.json"), "54_conv_2D");
  const Task& task = made.task;
  CHECK(task.name == "_54_conv_2D");
  CHECK(task.dims == std::vector<std::string>{"n", "h"});
  REQUIRE(task.arguments.size() == 7);
  CHECK(task.arguments[0].shape == std::vector<std::string>{"n", "3", "h"});
  CHECK(task.arguments[1].name == "conv_weight");
  CHECK(task.arguments[1].scale == "1.0/sqrt(9)");
  CHECK(task.arguments[2].fill == "unit");  // whole numbers below 10
  CHECK(task.arguments[2].scale == "10");
  CHECK(task.arguments[3].fill == "index");
  CHECK(task.arguments[4].shape == std::vector<std::string>{"n", "8", "(h + 1)/2 - 1"});
  CHECK(task.bytes.find("4*n*8*((h + 1)/2 - 1)") != std::string::npos);
  CHECK(task.backends[0].timed == std::vector<Dims>{{{"n", 16}, {"h", 64}}});
  CHECK(task.reduction == "9");
  CHECK(task.flops == "72*n*h");
  CHECK(task.distributions[0] == "unit");  // as the problem draws them itself
  CHECK(task.limits == std::vector<std::string>{"h % 4 == 0", "(h + 1)/2 - 1 >= 1"});
  for (const Dims& shape : task.hidden) CHECK(shape[1].second % 4 == 0);
  CHECK(says(made.took, "weights of the model as inputs: conv_weight"));
  CHECK(says(made.took, "as they are, because the model is made with them: channels"));
  CHECK(says(made.left_out, "buffers, which stay as the model makes them: bn.running_mean"));
  CHECK(made.files[0].second == "class Model: pass\n");
}

TEST_CASE("a probe: what the problem's code makes of numbers is said, and refused of indices and masks") {
  std::string text = foreign("probe/conv.json");
  auto with = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    return task_of_probe(other.replace(other.find(from), from.size(), to), "conv");
  };
  CHECK(says(with("\"made\": \"rand\",", "\"made\": \"softmax\",").left_out,
             "x: the problem makes it by softmax"));
  const std::string labels = R"("torch.int64", "made": "randint", "range": null)";
  for (const char* made : {R"("torch.int64", "made": "cumsum", "range": null)",
                           R"("torch.bool", "made": "tril", "range": null)"})
    CHECK_THROWS_WITH_AS(with(labels, made),
                         doctest::Contains("labels: whole numbers or flags that the problem makes by "),
                         Error);
}

TEST_CASE("a definition: whole numbers that the benchmark's own code makes are not replaced by others") {
  std::string text = foreign("sol/definition.json");
  text.insert(text.rfind('}'), R"(, "custom_inputs_entrypoint": "make_places")");
  auto workload = [](const char* tokens, const char* place) {
    return std::string(R"({"axes":{"tokens":)") + tokens +
           R"(},"inputs":{"x":{"type":"random"},"place":{"type":")" + place +
           R"("},"scale":{"type":"scalar","value":0.5}}})";
  };
  CHECK_THROWS_WITH_AS(
      task_of_definition(sol_exec_bench, text, {workload("7", "custom"), workload("9", "custom")}, {}),
      "cannot be a task of explog: place: whole numbers or flags that the benchmark's own code makes "
      "(make_places), which "
      "explog does not run; others in their place would be another problem",
      Error);
  ForeignTask some =
      task_of_definition(sol_exec_bench, text, {workload("7", "custom"), workload("9", "random")}, {});
  CHECK(some.task.backends[0].timed == std::vector<Dims>{{{"tokens", 9}}});
  CHECK(says(some.left_out, "1 of 2 workloads, with place: whole numbers or flags"));
}

TEST_CASE("traces of many solutions hold one workload once") {
  const std::string definition = foreign("sol/definition.json");
  auto trace = [](const char* solution) {
    return std::string(R"({"definition":"scaled_rotate","solution":")") + solution +
           R"(","workload":{"uuid":"1","axes":{"tokens":7},"inputs":{}},"evaluation":{"status":"PASSED"}})";
  };
  CHECK(says(task_of_definition(flashinfer_bench, definition, {trace("a"), trace("b")}, {}).took,
             "1 workloads with 1 shapes"));
}

TEST_CASE("a probe without sizes that vary is a task of one shape") {
  ForeignTask made = task_of_probe(
      R"j({"dims":[],"inputs":[{"name":"x","dtype":"torch.float16","shape":["(16)/(2)"]}],"outputs":[{"name":"out",)j"
      R"("dtype":"torch.float16","shape":[]}],"reduction":"8","work":"8","timed":[{}],"reference":"x","submission":"y"})",
      "sum");
  CHECK(made.task.dims.empty());
  CHECK(made.task.backends[0].timed == std::vector<Dims>{{}});
  CHECK(made.task.bytes == "2*((16)/(2)) + 2*1");
  CHECK(made.files.back().first == "gpu_mode.py");
  CHECK(made.task.distributions[0] == "normal");
}

TEST_CASE("a probe that found no task is refused in a line") {
  CHECK_THROWS_WITH_AS(task_of_probe(R"({"error":"ValueError: no"})", "x"),
                       "cannot be a task of explog: ValueError: no", Error);
  auto with = [](const std::string& inputs) {
    return R"({"dims":["n"],"inputs":[)" + inputs +
           R"(],"outputs":[{"name":"x","dtype":"torch.float32","shape":["n"]}],"timed":[{"n":4}],"reference":"x"})";
  };
  CHECK_THROWS_WITH_AS(task_of_probe(with(R"({"name":"a b"})"), "x"),
                       "cannot be a task of explog: 'a b' is no name for an argument", Error);
  CHECK_THROWS_WITH_AS(task_of_probe(with(R"({"name":"x","dtype":"torch.float32","shape":["n"]})"), "x"),
                       "cannot be a task of explog: two of its arguments are called x", Error);
  CHECK_THROWS_WITH_AS(task_of_probe(with(R"({"name":"y","dtype":"torch.complex64","shape":["n"]})"), "x"),
                       "cannot be a task of explog: y is of the type torch.complex64, which explog has not",
                       Error);
  CHECK_THROWS_AS(task_of_probe(with(R"({"name":"y","dtype":"torch.float32","shape":["n","q q"]})"), "x"),
                  Error);
  CHECK_THROWS_AS(task_of_probe(with(R"({"name":"y","dtype":"torch.float32","shape":[4]})"), "x"), Error);
  CHECK_THROWS_AS(task_of_probe(R"({"dims":["n"],"timed":[{}]})", "x"), Error);
  CHECK_THROWS_AS(task_of_probe("[]", "x"), Error);
}

TEST_CASE("expressions of Python become SQLite's") {
  CHECK(sql_of_python("a // 2 + bb*a", {{"a", "n"}, {"bb", "3"}}) == "n / 2 + 3*n");
}

TEST_CASE("files of a workload become inputs of the task where they are there, fit and are not too large") {
  std::string definition = foreign("sol/definition.json");
  auto workload = [](const std::string& tokens, const std::string& path) {
    return R"({"axes":{"tokens":)" + tokens +
           R"(},"inputs":{"x":{"type":"random"},"scale":{"type":"scalar","value":0.5},)"
           R"("angle":{"type":"safetensors","path":")" +
           path + R"(","tensor_key":"k"}}})";
  };
  auto made_of = [&](const std::vector<std::string>& workloads, std::uint64_t bytes) {
    return task_of_definition(sol_exec_bench, definition, workloads, {}, [&](const std::string& path) {
      if (path == "gone") return ForeignFile{"", "it is not among the files here", 0, {}};
      return ForeignFile{"/data/" + path, "", bytes, {{"k", "F32", {7, 32}, 0, 896}}};
    });
  };
  ForeignTask made = made_of({workload("7", "blob/a b.safetensors")}, 1000);
  REQUIRE(made.task.given.size() == 1);
  CHECK(made.task.given[0].dims == Dims{{"tokens", 7}});
  CHECK(made.task.given[0].inputs == std::vector<GivenInput>{{"angle", "inputs/a_b.safetensors", "k"}});
  REQUIRE(made.data.size() == 1);
  CHECK(made.data[0].source == "/data/blob/a b.safetensors");
  CHECK(says(made.took, "1 files of inputs, for 1 of the timed shapes"));
  CHECK(made.task.imported_from->workloads.size() == 1);
  CHECK(parse_task(to_json(made.task)).given == made.task.given);
  // What does not fit is one line, and is no workload that was judged.
  made = made_of({workload("8", "a.safetensors"), workload("9", "gone")}, 1000);
  CHECK(made.task.given.empty());
  CHECK(made.task.imported_from->workloads.empty());
  CHECK(says(made.left_out, "angle: a.safetensors: tensor 'k' is F32 [7, 32]; the task wants f32 [8, 32]"));
  CHECK(says(made.left_out,
             "tokens=9, whose inputs are generated instead: angle: gone: it is not among the files here"));
  made = made_of({workload("7", "a.safetensors")}, most_given_bytes + 1);
  CHECK(says(made.left_out, "a.safetensors has 1073741825 bytes; a task takes 1073741824 of files in all"));
}
