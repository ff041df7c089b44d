#include "intake/nvbench.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.h"
#include "intake/nvbench_axes.h"
#include "unit/intake/read_all.h"

using namespace explog;
using namespace explog::test;

namespace {

std::vector<Parsed> read_nvbench(const std::string& text) { return read_all(intake::nvbench, text); }

std::string axis(const std::string& name, const std::string& type, const std::string& value) {
  return R"({"name": ")" + name + R"(", "type": ")" + type + R"(", "value": ")" + value + "\"}";
}

std::string state(const std::string& axes, const std::string& seconds,
                  const std::string& statistic = "median", const std::string& more = "") {
  return R"({"name": "s", "device": 0, "type_config_index": 0, "axis_values": [)" + axes +
         R"(], "is_skipped": false,
    "summaries": [{"tag": "nv/cold/time/gpu/)" +
         statistic + R"(", "data": [{"name": "value", "type": "float64", "value": ")" + seconds + R"("}]}])" +
         more + "}";
}

std::string file(const std::string& states, const std::string& axes = "null",
                 const std::string& meta = R"("meta": {"version": {"json": {"major": 1}}},)") {
  return "{" + meta + R"("devices": [{"id": 0, "name": "NVIDIA H200", "sm_version": 900}],
    "benchmarks": [{"name": "scan", "axes": )" +
         axes + ", \"states\": [" + states + "]}]}";
}

std::vector<std::string> strategies(const std::string& text) {
  std::vector<std::string> list;
  for (const Parsed& parsed : read_nvbench(text))
    list.push_back(parsed.experience ? parsed.experience->strategy : "fault");
  std::sort(list.begin(), list.end());
  return list;
}

using Lines = std::vector<std::string>;
const std::string fast = state(axis("Threads", "int64", "256"), "0.001"),
                  slow = state(axis("Threads", "int64", "128"), "0.002");

}  // namespace

TEST_CASE("nvbench: states that differ in one tuning axis are changes") {
  auto list = drain(intake::nvbench(sample("sample_nvbench.json"), nullptr));
  CHECK(list.size() == 48);
  CHECK(remarks_with(list, "2 states were skipped by the benchmark") == 1);
  CHECK(remarks_with(list, "sample: not enough shared memory") == 1);
  const Experience& e = *list[0].experience;
  CHECK(has(list[0].where, "sample_nvbench.json:reduce_sum state 3"));
  CHECK(e.kernel_type == "reduction");
  CHECK(e.kernel == "reduce_sum");
  CHECK(e.backend == "cuda");
  CHECK(e.gpu == "NVIDIA H200");
  CHECK(e.arch == "sm_90");
  CHECK(e.dtype == "f32");
  CHECK(e.shape == Facts{{"Elements", 65536}});
  CHECK(e.state == Facts{{"threads", 128}, {"prefetch", 0}});
  CHECK(e.strategy == "threads:up");
  CHECK(e.params == Params{{"name", "Threads"}, {"from", 128.0}, {"to", 256.0}});
  CHECK(e.latency_before_ms == doctest::Approx(0.08));
  CHECK(e.latency_after_ms == doctest::Approx(0.064));
  CHECK(e.outcome == "success");
  CHECK(fact(e.metrics_after, "noise_rel") == 0.004);
  CHECK(e.source_before == "reduce_sum/NVIDIA H200/0");
  CHECK(e.source == "nvbench sample_nvbench.json");
}

TEST_CASE("nvbench: versions") {
  CHECK(has(
      error_of([] { read_nvbench(file(fast, "null", R"("meta": {"version": {"json": {"major": 2}}},)")); }),
      "version 2, explog reads version 1"));
  auto list = read_nvbench(file(fast + "," + slow, "null", ""));
  CHECK(list.size() == 2);
  CHECK(remarks_with(list, "names no format version") == 1);
}

TEST_CASE("nvbench: old files have a mean only") {
  auto list = read_nvbench(file(state(axis("T", "int64", "1"), "0.1", "mean")));
  CHECK(list.size() == 1);  // T is a size
  list = read_nvbench(file(state(axis("Unroll", "int64", "1"), "0.1", "mean") + "," +
                           state(axis("Unroll", "int64", "2"), "0.1", "mean")));
  CHECK(list.size() == 2);
  CHECK(remarks_with(list, "stat=mean for 2 states") == 1);
}

TEST_CASE("nvbench: sizes, types and words are no changes, switches are") {
  auto two = [](const std::string& name, const std::string& type, const std::string& a, const std::string& b,
                const std::string& axes = "null") {
    return strategies(
        file(state(axis(name, type, a), "0.1") + "," + state(axis(name, type, b), "0.2"), axes));
  };
  CHECK(two("Elements", "int64", "64", "128") == Lines{"fault"});
  CHECK(two("N", "int64", "64", "128") == Lines{"fault"});
  CHECK(two("Bins", "int64", "64", "128", R"([{"name": "Bins", "flags": "pow2"}])") == Lines{"fault"});
  CHECK(two("T{ct}", "type", "I32", "F32") == Lines{"fault"});
  CHECK(two("Algorithm", "string", "a", "b") == Lines{"fault"});
  CHECK(two("Ratio", "float64", "0.25", "0.5") == Lines{"ratio:down", "ratio:up"});
  CHECK(two("Cache", "string", "off", "on",
            R"([{"name": "Cache", "values": [{"input_string": "off"}, {"input_string": "on"}]}])") ==
        Lines{"cache:off", "cache:on"});
}

TEST_CASE("nvbench: only states of equal sizes and types are compared") {
  auto at = [](const std::string& n, const std::string& type, const std::string& threads) {
    return state(axis("N", "int64", n) + "," + axis("OffsetT{ct}", "type", type) + "," +
                     axis("Threads", "int64", threads),
                 "0.1");
  };
  CHECK(strategies(file(at("8", "I32", "128") + "," + at("16", "I32", "256"))) == Lines{"fault"});
  CHECK(strategies(file(at("8", "I32", "128") + "," + at("8", "I64", "256"))) == Lines{"fault"});
  auto list = read_nvbench(file(at("8", "I32", "128") + "," + at("8", "I32", "256")));
  CHECK(list.size() == 2);
  CHECK(list[0].experience->tags == Tags{"OffsetT{ct}=I32"});
  CHECK(list[0].experience->shape == Facts{{"N", 8}});
}

TEST_CASE("nvbench: other devices are other groups") {
  std::string other = fast;
  other.replace(other.find("\"device\": 0"), 11, "\"device\": 1");
  CHECK(strategies(file(other + "," + slow)) == Lines{"fault"});
}

TEST_CASE("nvbench: single measurements") {
  auto list = read_nvbench(file(fast));
  REQUIRE(list.size() == 1);
  CHECK(has(list[0].fault, "only single measurements: nothing to compare"));
  CHECK(list[0].where == "stdin");
  CHECK(has(read_nvbench(file("")).at(0).fault, "only single measurements"));
  CHECK(has(read_nvbench(R"({"benchmarks": []})").at(0).fault, "only single measurements"));
}

TEST_CASE("nvbench: unusable states are counted, good ones are kept") {
  for (const char* time : {"inf", "nan", "-inf", "0", "-1", "x"}) {
    auto list = read_nvbench(file(state(axis("Threads", "int64", "64"), time) + "," + fast + "," + slow));
    CHECK(list.size() == 2);
    CHECK(remarks_with(list, "1 states left out; the first: 's' has no GPU time above 0") == 1);
  }
  for (const char* broken :
       {"5", "null", "{}", R"({"summaries": 3})", R"({"summaries": [{"tag": 1, "data": {}}]})"}) {
    CHECK(read_nvbench(file(std::string(broken) + "," + fast + "," + slow)).size() == 2);
  }
  std::string odd = fast;
  odd.replace(odd.find("\"axis_values\": ["), 16, "\"axis_values\": {\"a\": [")
      .replace(odd.rfind("], \"is_skipped"), 1, "]}");
  CHECK(remarks_with(read_nvbench(file(odd + "," + fast + "," + slow)), "no list of at most 64 axes") == 1);
}

TEST_CASE("nvbench: what is no result file is refused with one line") {
  auto error = [](const std::string& text) { return error_of([&] { read_nvbench(text); }); };
  CHECK(has(error("{}"), "stdin: not nvbench JSON"));
  CHECK(has(error("[1"), "not valid JSON"));
  CHECK(has(error(std::string(1000, '[')), "32 levels"));
  CHECK_THROWS_AS(read_nvbench("{}"), Error);
  CHECK(intake::looks_like_nvbench(R"({"meta": {"version": {"nvbench": 1)"));
  CHECK(intake::looks_like_nvbench(R"({"devices": [{"sm_version": 700)"));
  CHECK_FALSE(intake::looks_like_nvbench(R"({"meta": 1})"));
}

TEST_CASE("nvbench: which axes describe the problem") {
  using intake::AxisRole;
  for (const char* name : {"N", "m", "Elements", "Elements{io}", "NumInputs", "num_elements",
                           "Number of Rows", "Bytes", "Size", "BatchSize{io}"}) {
    CAPTURE(name);
    CHECK(intake::role_of_axis(name, "int64", "") == AxisRole::size);
  }
  for (const char* name : {"Threads", "BlockSize", "ItemsPerThread", "NumStages", "TPB"}) {
    CAPTURE(name);
    CHECK(intake::role_of_axis(name, "int64", "") == AxisRole::tuning);
  }
  for (const char* name :
       {"Threads", "BlockSize", "Block dim", "Num Threads", "NumBlocks", "ItemsPerThread{ct}"}) {
    CAPTURE(name);
    CHECK(intake::role_of_axis(name, "int64", "pow2") == AxisRole::tuning);
  }
  CHECK(intake::role_of_axis("Bins", "int64", "pow2") == AxisRole::size);
  CHECK(intake::role_of_axis("Blocks{io}", "int64", "pow2") == AxisRole::size);
  CHECK(intake::role_of_axis("Op", "string", "") == AxisRole::label);
}

TEST_CASE("nvbench: the CSV table gives what the JSON file does, by means") {
  auto list = drain(intake::nvbench(sample("sample_nvbench.csv"), nullptr));
  REQUIRE(list.size() == 4);
  CHECK(remarks_with(list,
                     "1 states were skipped by the benchmark; the first: 'BlockSize=256 Prefetch=on'") == 1);
  CHECK(remarks_with(list,
                     "1 states left out; the first: 'T=F64 Elements=2097152' has no GPU time above 0") == 1);
  CHECK(remarks_with(list, "stat=mean for 6 states") == 1);
  Lines found;
  for (const Parsed& parsed : list) found.push_back(parsed.experience->strategy);
  std::sort(found.begin(), found.end());
  CHECK(found == Lines{"blocksize:down", "blocksize:up", "prefetch:off", "prefetch:on"});
  const Experience& e = *list[0].experience;
  CHECK(has(list[0].where, "sample_nvbench.csv:reduce_sum state "));
  CHECK(e.gpu == "NVIDIA H200");
  CHECK(e.kernel_type == "reduction");
  CHECK(e.latency_before_ms == doctest::Approx(0.08));
  CHECK(fact(e.metrics_before, "noise_rel") == 0.004);
  CHECK(fact(e.metrics_before, "warm_batch_ms") == doctest::Approx(0.06));
  CHECK(e.condition == "time=s stat=mean cache=cold");
}

TEST_CASE("nvbench: tables that cannot be read are refused by their line") {
  const std::string head = "Benchmark,Device,Device Name,N,Skipped,GPU Time (sec),Noise\n";
  CHECK(has(error_of([&] { read_nvbench(head + "a,0,H200,1,No,0.1\n"); }), "line 2 has not the columns"));
  CHECK(has(error_of([&] { read_nvbench(head + "f<a,b>,0,H200,1,No,0.1,0\n"); }),
            "line 2 has not the columns"));
  CHECK(has(error_of([&] { read_nvbench("Benchmark,Device,Device Name,N,Skipped\n"); }),
            "no column 'GPU Time (sec)'"));
  CHECK(strategies(head) == Lines{"fault"});
}
