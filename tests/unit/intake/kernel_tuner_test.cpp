#include "intake/kernel_tuner.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "intake/kernel_tuner_cache.h"
#include "model/parameter_names.h"
#include "unit/intake/read_all.h"

using namespace explog;
using namespace explog::test;

namespace {

std::vector<Parsed> read_tuned(const std::string& text) { return read_all(intake::kernel_tuner, text); }

// A cache of one parameter `p` with these entries: {value as JSON, time as JSON}.
std::string cache(const std::string& values, const std::vector<std::pair<std::string, std::string>>& entries,
                  const std::string& name = "p") {
  std::string text =
      R"({"device_name": "NVIDIA A100-SXM4-40GB", "kernel_name": "my_gemm", "problem_size": [4096, 512],
    "tune_params_keys": [")" +
      name + "\"], \"tune_params\": {\"" + name + "\": " + values + "}, \"cache\": {";
  for (size_t i = 0; i < entries.size(); ++i) {
    text += std::string(i > 0 ? "," : "") + "\"" + std::to_string(i) + "\": {\"" + name +
            "\": " + entries[i].first + ", \"time\": " + entries[i].second + ", \"times\": [1, 2]}";
  }
  return text + "}}";
}

// strategy from->to outcome, of every change.
std::vector<std::string> changes(const std::string& text) {
  std::vector<std::string> list;
  for (const Parsed& parsed : read_tuned(text)) {
    if (!parsed.experience) {
      list.push_back("fault: " + parsed.fault);
      continue;
    }
    const Experience& e = *parsed.experience;
    list.push_back(e.strategy + " " + e.outcome + (e.cause.empty() ? "" : " " + e.cause));
  }
  std::sort(list.begin(), list.end());
  return list;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("kernel_tuner: a cache left open is read as one-variable changes") {
  auto list = drain(intake::kernel_tuner(sample("sample_kernel_tuner.json"), nullptr));
  CHECK(list.size() == 260);  // counted apart from this program
  CHECK(remarks_with(list, "the file was left open") == 1);
  CHECK(list[0].remarks.size() == 1);
  std::map<std::string, int> outcomes;
  for (const Parsed& parsed : list) ++outcomes[parsed.experience->outcome + "/" + parsed.experience->cause];
  CHECK(outcomes["success/"] == 112);
  CHECK(outcomes["neutral/"] == 12);
  CHECK(outcomes["failure/"] == 116);
  CHECK(outcomes["failure/launch_error"] == 12);
  CHECK(outcomes["failure/compile_error"] == 8);
}

TEST_CASE("kernel_tuner: what a record carries") {
  auto list = read_tuned(cache("[16, 32]", {{"16", "2.0"}, {"32", "1.0"}}, "block_size_x"));
  REQUIRE(list.size() == 2);
  CHECK(list[0].where == "stdin:change 1 (entry 1)");
  const Experience& e = *list[0].experience;
  CHECK(e.kernel_type == "gemm");
  CHECK(e.kernel == "my_gemm");
  CHECK(e.gpu == "NVIDIA A100-SXM4-40GB");
  CHECK(e.arch == "sm_80");
  CHECK(e.backend.empty());
  CHECK(list[0].usual_backend == "cuda");
  CHECK(e.shape == Facts{{"x", 4096}, {"y", 512}});
  CHECK(e.strategy == "block_x:up");
  CHECK(e.params == Params{{"name", "block_size_x"}, {"from", 16.0}, {"to", 32.0}});
  CHECK(e.state == Facts{{"block_x", 16}});
  CHECK(e.latency_before_ms == 2.0);
  CHECK(e.latency_after_ms == 1.0);
  CHECK(e.source_before == "my_gemm/NVIDIA A100-SXM4-40GB/0");
  CHECK(e.source == "Kernel Tuner cache stdin");
  CHECK(list[1].experience->strategy == "block_x:down");
  CHECK(list[1].experience->source_before == "my_gemm/NVIDIA A100-SXM4-40GB/1");
}

TEST_CASE(
    "kernel_tuner: errors under their own key, as since 1.4, and in place of another objective, are "
    "failures") {
  auto with = [](const std::string& error) {
    std::string text = cache("[1, 2, 4]", {{"1", "2"}, {"2", "1"}});
    text.insert(text.size() - 2, R"(, "9": {"p": 4, "compile_time": 12.5, )" + error + "}");
    auto list = read_tuned(text);
    CHECK(list.size() == 3);
    CHECK(remarks_with(list, "entries left out") == 0);
    std::string causes;
    for (const Parsed& parsed : list) causes += parsed.experience->cause;
    return causes;
  };
  CHECK(with(R"("__error__": "CompilationFailedConfig")") == "compile_error");
  CHECK(with(R"("__error__": "RuntimeFailedConfig")") == "launch_error");
  CHECK(with(R"("__error__": "InvalidConfig", "time": 3.0)") == "launch_error");
  CHECK(with(R"("time": 3.0, "__error__": "SomeNewerConfig")") == "launch_error");
  CHECK(with(R"("GFLOP/s": "CompilationFailedConfig")") == "compile_error");
  CHECK(with(R"("time": "ErrorConfig")") == "launch_error");
}

TEST_CASE("kernel_tuner: the backend is the file's language, else usually cuda on NVIDIA's cards") {
  auto backend = [](const std::string& gpu, const std::string& more) {
    Parsed first = read_tuned(R"({"device_name": ")" + gpu + "\"" + more +
                              R"(, "kernel_name": "k", "tune_params_keys": ["p"],
      "cache": {"1": {"p": 1, "time": 2}, "2": {"p": 2, "time": 1}}})")
                       .at(0);
    return first.experience->backend.empty() ? first.usual_backend : first.experience->backend;
  };
  CHECK(backend("NVIDIA RTX A4000", "") == "cuda");
  CHECK(backend("NVIDIA Something 7", "") == "cuda");
  CHECK(backend("AMD Radeon PRO W6600", "").empty());
  CHECK(backend("", "").empty());
  CHECK(backend("NVIDIA RTX A4000", R"(, "language": "HIP")") == "hip");
  CHECK(backend("AMD Radeon PRO W6600", R"(, "lang": "OpenCL")") == "other");
}

TEST_CASE("kernel_tuner: sizes double and halve over dense lists, never below") {
  // 32 -> up to 64 (smallest of at least twice as much), 96 -> down to 48 (largest of at most half).
  std::vector<std::pair<std::string, std::string>> entries;
  for (const char* v : {"16", "32", "48", "64", "96"}) entries.emplace_back(v, "1.0");
  auto list = read_tuned(cache("[96, 64, 48, 32, 16]", entries));
  std::map<double, std::map<std::string, double>> to;
  for (const Parsed& parsed : list) {
    const Params& p = parsed.experience->params;
    to[std::get<double>(p[1].second)][parsed.experience->strategy] = std::get<double>(p[2].second);
  }
  CHECK(to[16] == std::map<std::string, double>{{"p:up", 32}});
  CHECK(to[32] == std::map<std::string, double>{{"p:up", 64}, {"p:down", 16}});
  CHECK(to[48] == std::map<std::string, double>{{"p:up", 96}, {"p:down", 16}});
  CHECK(to[96] == std::map<std::string, double>{{"p:down", 48}});
  CHECK(changes(cache("[0, 1, 2]", {{"0", "1"}, {"1", "1"}, {"2", "1"}})) ==
        Lines{"p:down neutral", "p:up neutral"});
}

TEST_CASE("kernel_tuner: flags flip, variants swap, single values give nothing") {
  CHECK(changes(cache("[0, 1]", {{"0", "1"}, {"1", "1"}}, "use_padding")) ==
        Lines{"smem_padding:off neutral", "smem_padding:on neutral"});
  CHECK(changes(cache("[false, true]", {{"false", "2"}, {"true", "1"}})) ==
        Lines{"p:off failure", "p:on success"});
  CHECK(changes(cache(R"(["row", "Col M"])", {{"\"row\"", "1"}, {"\"Col M\"", "1"}})) ==
        Lines{"p:tocol_m neutral", "p:torow neutral"});
  CHECK(changes(cache("[0, 1, 2]", {{"0", "1"}, {"2", "1"}}, "use_method")) ==
        Lines{"algo_method:to0 neutral", "algo_method:to2 neutral"});
  CHECK(has(changes(cache("[8]", {{"8", "1"}}))[0], "nothing to compare"));
  CHECK(has(changes(cache("[8, 16]", {{"8", "1"}}))[0], "nothing to compare"));
  CHECK(
      changes(cache("[{\"a\": [1]}, {\"a\": [2]}]", {{"{\"a\": [1]}", "1"}, {"{\"a\": [2]}", "1"}})).size() ==
      2);
}

TEST_CASE("kernel_tuner: five percent either way decides") {
  CHECK(changes(cache("[1, 2]", {{"1", "1.05"}, {"2", "1.0"}})) == Lines{"p:down failure", "p:up success"});
  CHECK(changes(cache("[1, 2]", {{"1", "1.049"}, {"2", "1.0"}})) == Lines{"p:down neutral", "p:up neutral"});
}

TEST_CASE("kernel_tuner: failures are targets, not bases; unusable times are neither") {
  auto to = [](const std::string& time) { return changes(cache("[1, 2]", {{"1", "1.0"}, {"2", time}})); };
  CHECK(to("\"CompilationFailedConfig\"") == Lines{"p:up failure compile_error"});
  CHECK(to("\"RuntimeFailedConfig\"") == Lines{"p:up failure launch_error"});
  CHECK(to("\"InvalidConfig\"") == Lines{"p:up failure launch_error"});
  CHECK(to("1e20") == Lines{"p:up failure launch_error"});
  for (const char* time : {"0", "-1", "null", "NaN", "Infinity", "-Infinity", "\"surprise\"", "[]", "true"}) {
    CAPTURE(time);
    CHECK(has(to(time)[0], "nothing to compare"));
    CHECK(remarks_with(read_tuned(cache("[1, 2]", {{"1", "1.0"}, {"2", time}})),
                       "1 entries left out; the first is \"1\": no time above 0") == 1);
  }
  CHECK(has(changes(cache("[1, 2]", {{"1", "1e20"}, {"2", "1e20"}}))[0], "nothing to compare"));
}

TEST_CASE("kernel_tuner: files that were never closed, in every state") {
  std::string whole = cache("[1, 2, 4]", {{"1", "4"}, {"2", "2"}, {"4", "1"}});
  auto count = [](const std::string& text) { return read_tuned(text).size(); };
  CHECK(count(whole) == 4);
  CHECK(count(whole.substr(0, whole.size() - 1)) == 4);
  CHECK(count(whole.substr(0, whole.size() - 2)) == 4);
  CHECK(count(whole.substr(0, whole.size() - 2) + ",\n") == 4);
  auto cut = read_tuned(whole.substr(0, whole.size() - 10));
  CHECK(cut.size() == 2);
  CHECK(remarks_with(cut, "the last entry is cut off and left out") == 1);
  CHECK(remarks_with(read_tuned(whole), "left") == 0);
  // Ends like a closed file, but the braces belong to a value.
  std::string brace = cache("[{}, 2]", {{"2", "2"}, {"{}", "1"}});
  CHECK(count(brace.substr(0, brace.size() - 2)) == 2);
  std::string quoted = cache(R"(["}\"{", "b"])", {{R"("}\"{")", "2"}, {"\"b\"", "1"}});
  CHECK(count(quoted.substr(0, quoted.size() - 2)) == 2);
}

TEST_CASE("kernel_tuner: NaN inside names is left alone") {
  CHECK(intake::mend_tuner_cache(R"({"a": "NaN \" NaN", "b": NaN})").text ==
        R"({"a": "NaN \" NaN", "b": null})");
}

TEST_CASE("kernel_tuner: a file with sorted keys has its cache first") {
  CHECK(
      read_tuned(
          R"({"cache": {"1": {"p": 1, "time": 2}, "2": {"p": 2, "time": 1}}, "device_name": "d", "kernel_name": "k",
    "tune_params": {"p": [1, 2]}, "tune_params_keys": ["p"]})")
          .size() == 2);
}

TEST_CASE("kernel_tuner: without value lists the entries' own values count") {
  CHECK(
      read_tuned(
          R"({"kernel_name": "k", "tune_params_keys": ["p"], "cache": {"1": {"p": 1, "time": 2}, "2": {"p": 2, "time": 1}}})")
          .size() == 2);
}

TEST_CASE("kernel_tuner: broken entries do not lose good ones") {
  std::string text = cache("[1, 2]", {{"1", "2"}, {"2", "1"}});
  text.insert(text.rfind("}}"), R"(, "x": {"time": 3}, "y": 5, "z": [1], "w": {"p": 2, "time": 7})");
  auto list = read_tuned(text);
  CHECK(list.size() == 2);
  CHECK(remarks_with(list, "no value for p") == 1);
  CHECK(remarks_with(list, "1 entries repeat an earlier configuration") == 1);
}

TEST_CASE("kernel_tuner: what is no cache is refused with one line") {
  auto error = [](const std::string& text) { return error_of([&] { read_tuned(text); }); };
  CHECK(has(error(""), "stdin: not a Kernel Tuner cache"));
  CHECK(has(error("{}"), "no \"cache\" object"));
  CHECK(has(error(R"({"cache": []})"), "no \"cache\" object"));
  CHECK(has(error(R"({"cache": {}})"), "no \"tune_params_keys\""));
  CHECK(has(error("\xff"), "not a Kernel Tuner cache"));
  CHECK(has(error(std::string(100000, '[')), "32 levels"));
  std::string many = R"({"tune_params_keys": [)";
  for (int i = 0; i < 65; ++i) many += (i > 0 ? ",\"p" : "\"p") + std::to_string(i) + "\"";
  CHECK(has(error(many + "], \"cache\": {}}"), "more than 64 tuning parameters"));
  CHECK_THROWS_AS(read_tuned("{}"), Error);
}

TEST_CASE("kernel_tuner: parameters under shared names, each name once") {
  for (auto [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"block_size_y", "block_y"},
                                                        {"tile_size_x", "coarsen_x"},
                                                        {"vector", "vector_width"},
                                                        {"MWG", "wg_tile_m"},
                                                        {"VWN", "vector_width_n"},
                                                        {"STRM", "strided_access_m"},
                                                        {"SB", "smem_tiling_b"},
                                                        {"loop_unroll_factor_channel", "unroll"},
                                                        {"unroll", "unroll"},
                                                        {"read_only", "readonly_cache"},
                                                        {"use_cmem", "const_mem"},
                                                        {"sh_power", "smem_tiling"},
                                                        {"Blocks_Per_SM", "blocks_per_sm"}}) {
    CHECK(shared_parameter_name(from) == to);
  }
}

TEST_CASE("kernel_tuner: labels by the hundred are not swapped one by one") {
  std::string values;
  std::vector<std::pair<std::string, std::string>> entries;
  for (int i = 0; i < 65; ++i) {
    entries.emplace_back("\"v" + std::to_string(i) + "\"", "1");
    values += (i > 0 ? "," : "") + entries.back().first;
  }
  auto list = read_tuned(cache("[" + values + "]", entries));
  CHECK(list.size() == 1);
  CHECK(remarks_with(list, "too many variants") == 1);
}

TEST_CASE("kernel_tuner: told apart by its head") {
  CHECK(intake::looks_like_kernel_tuner(R"({"device_name": "x", "tune_params_keys": [)"));
  CHECK_FALSE(intake::looks_like_kernel_tuner(R"({"kernel_name": "x"})"));
}
