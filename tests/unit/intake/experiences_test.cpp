#include "intake/experiences.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "intake/dims.h"
#include "model/claim.h"
#include "unit/intake/read_all.h"

using namespace explog;
using namespace explog::test;

namespace {

std::vector<Parsed> read(const std::string& text) { return read_all(intake::experiences, text); }

// One row with a few members replaced or added.
std::string row(const std::string& members) {
  return "[{\"id\": 7, \"kernel\": \"my_softmax_v2\", \"outcome\": \"success\"" + members + "}]";
}

Experience one(const std::string& members) {
  auto list = read(row(members));
  REQUIRE(list.size() == 1);
  REQUIRE_MESSAGE(list[0].experience, list[0].fault);
  return *list[0].experience;
}

std::string fault(const std::string& members) { return read(row(members)).at(0).fault; }

const std::string latencies = R"(, "metrics_before": {"latency_ms": 2.0}, "metrics_after": {"latency_ms": )";

}  // namespace

TEST_CASE("experiences: every field of the log has its place") {
  auto list =
      read(R"([{"id": 29, "date": "2025-03-01", "iteration": "v3", "kernel": "matmul", "backend": "cuda",
    "chip": "sm_86", "dims": "M=1024,K=512,N=256", "bottleneck_before": "memory_bound", "dominant_stall": "long_scoreboard",
    "metrics_before": {"memory_sol_pct": 71.5, "sm_sol_pct": 30, "latency_ms": 4.2, "achieved_occupancy": 48.5},
    "metrics_after": {"memory_sol_pct": 40, "sm_sol_pct": null, "latency_ms": 1.8, "achieved_occupancy": null},
    "optimization": "smem-tiling{tile-size=128, vec=float4, pad=true}", "hypothesis": "reuse", "outcome": "success",
    "speedup": 2.33, "notes": "n", "merged_count": 2, "merged_from_iters": ["v1"]}])");
  REQUIRE(list.size() == 1);
  CHECK(list[0].where == "stdin:record id 29");
  CHECK(list[0].remarks.empty());
  const Experience& e = *list[0].experience;
  CHECK(e.kernel_type == "gemm");
  CHECK(e.kernel == "matmul");
  CHECK(e.backend == "cuda");
  CHECK(e.arch == "sm_86");
  CHECK(e.shape == Facts{{"M", 1024}, {"K", 512}, {"N", 256}});
  CHECK(e.bottleneck == "memory_bound");
  CHECK(e.stall == "long_scoreboard");
  CHECK(e.strategy == "smem-tiling");
  CHECK(e.params == Params{{"tile-size", 128.0}, {"vec", "float4"}, {"pad", true}});
  CHECK(fact(e.metrics_before, "dram__throughput.avg.pct_of_peak_sustained_elapsed") == 71.5);
  CHECK(fact(e.metrics_before, "sm__throughput.avg.pct_of_peak_sustained_elapsed") == 30);
  CHECK(fact(e.metrics_before, "sm__warps_active.avg.pct_of_peak_sustained_active") == 48.5);
  CHECK(e.metrics_after.size() == 1);
  CHECK(e.latency_before_ms == 4.2);
  CHECK(e.latency_after_ms == 1.8);
  CHECK_FALSE(e.speedup);  // follows from the latencies: derived more exactly
  CHECK(e.iteration == 3);
  CHECK(e.source == "stdin");
  CHECK(e.extra == decltype(e.extra){
                       {"date", "\"2025-03-01\""}, {"merged_count", "2"}, {"merged_from_iters", "[\"v1\"]"}});
}

TEST_CASE("experiences: the sample's defects are reported row by row") {
  auto list = drain(intake::experiences(sample("sample_experiences.json"), nullptr));
  REQUIRE(list.size() == 43);
  CHECK(remarks_with(list, "no optimization named") == 20);
  CHECK(remarks_with(list, "no dims") == 33);
  CHECK(remarks_with(list, "not a word of the log's own list") == 22);
  CHECK(remarks_with(list, "below 2%") == 14);
  CHECK(remarks_with(list, "became slower (-2.7%)") == 1);
  int faults = 0;
  for (const Parsed& parsed : list) faults += parsed.experience ? 0 : 1;
  CHECK(faults == 1);
  CHECK(list[28].fault == "same experiment as id 2");
  CHECK(has(list[28].where, "sample_experiences.json:record id 29"));
  CHECK(list[0].experience->source == "sample_experiences.json");
}

TEST_CASE("experiences: the list may stand in an object, and is told apart from other JSON") {
  CHECK(read(R"({"experiences": [{"id": 1, "kernel": "softmax", "outcome": "success"}]})").size() == 1);
  CHECK(read(R"({"entries": [{"id": 1, "kernel": "softmax", "outcome": "success"}, 5]})").size() == 2);
  CHECK(read("[]").empty());
  CHECK(has(error_of([] { read(R"({"rows": []})"); }), "stdin: expected a list of records"));
  CHECK(intake::looks_like_experiences(R"([{"optimization": "x", "bottleneck_before": "y"}])"));
  CHECK_FALSE(intake::looks_like_experiences(R"({"kernel_type": "gemm"})"));
}

TEST_CASE("experiences: broken documents are refused with one line") {
  CHECK(has(error_of([] { read(""); }), "it is empty"));
  CHECK(has(error_of([] { read("[{\"id\": 1"); }), "not valid JSON"));
  CHECK(has(error_of([] { read("[\"\xff\"]"); }), "not valid JSON"));
  CHECK(has(error_of([] { read(std::string(100000, '[')); }), "32 levels"));
  CHECK(has(error_of([] { read("[{\"id\": 1, \"id\": 2}]"); }), "duplicate key"));
  std::string commas = "[";
  commas.append(16'000'001, ',');
  CHECK(has(error_of([&] { read(commas); }), "more than 16 million values"));
  CHECK_THROWS_AS(intake::experiences("/nonexistent.json", nullptr), Error);
}

TEST_CASE("experiences: a broken row does not lose the good ones") {
  auto list = read(R"([5, {"kernel": "softmax", "outcome": "success"},
    {"id": "a", "kernel": "softmax", "metrics_before": 3}, {"id": 9, "kernel": 4}])");
  REQUIRE(list.size() == 4);
  CHECK(list[0].where == "stdin:record 1");
  CHECK(list[0].fault == "expected an object, got 5");
  CHECK(list[1].experience);
  CHECK(list[1].where == "stdin:record 2");
  CHECK(list[2].where == "stdin:record id a");
  CHECK(list[2].fault == "metrics_before: expected an object, got 3");
  CHECK(list[3].fault == "kernel: expected text, got 4");
  CHECK(fault(R"(, "metrics_after": {"latency_ms": "fast"})") ==
        "metrics_after.latency_ms: expected a number, got \"fast\"");
  CHECK(fault(R"(, "speedup": [])") == "speedup: expected a number, got []");
  CHECK(has(fault(", \"notes\": \"" + std::string(300000, 'x') + "\""), "longer than 200 KiB"));
}

TEST_CASE("experiences: dims in every spelling") {
  auto shape = [](const std::string& json) {
    auto dims = intake::read_dims(parse_json(json));
    return dims ? dims->shape : Facts{{"not understood", 0}};
  };
  CHECK(shape(R"("M=4096,N=512")") == Facts{{"M", 4096}, {"N", 512}});
  CHECK(shape(R"("M = 4096; N:512")") == Facts{{"M", 4096}, {"N", 512}});
  CHECK(shape(R"({"M": 4096, "N": "512"})") == Facts{{"M", 4096}, {"N", 512}});
  CHECK(shape(R"("4096x512")") == Facts{{"d0", 4096}, {"d1", 512}});
  CHECK(shape("\"4096\xC3\x97 512\"") == Facts{{"d0", 4096}, {"d1", 512}});
  CHECK(shape("\"(8, 128, 64)\"") == Facts{{"d0", 8}, {"d1", 128}, {"d2", 64}});
  CHECK(shape("[8, 128]") == Facts{{"d0", 8}, {"d1", 128}});
  CHECK(shape("65536") == Facts{{"N", 65536}});
  CHECK(shape("\"\"").empty());
  CHECK(shape("null").empty());
  CHECK(shape("\"unknown\"").empty());
  for (const char* bad :
       {"\"large\"", "\"M=big\"", "\"M=1,M=2\"", "true", "[\"a\"]", "{\"M\": []}", "\"-4\""}) {
    CHECK(shape(bad) == Facts{{"not understood", 0}});
  }
  CHECK(intake::read_dims(parse_json(R"("N=64,dtype=fp16")"))->dtype == "fp16");
}

TEST_CASE("experiences: dims that are not understood are kept and remarked") {
  auto list = read(row(R"(, "dims": "large")"));
  CHECK(list[0].experience->extra == decltype(Experience::extra){{"dims", "\"large\""}});
  CHECK(remarks_with(list, "dims \"large\" not understood") == 1);
}

TEST_CASE("experiences: names of kernels and chips") {
  CHECK(one("").kernel_type == "softmax");
  CHECK(one("").kernel == "my_softmax_v2");
  CHECK(read(R"([{"kernel": "unknown"}])")[0].experience->kernel_type == "other");
  CHECK(read(R"([{"kernel": "zebra"}])")[0].experience->kernel_type == "zebra");
  CHECK(read(R"([{"kernel": "flashAttention2"}])")[0].experience->kernel_type == "attention");
  CHECK(read(R"([{"kernel": "fused-layer-norm"}])")[0].experience->kernel_type == "layernorm");
  CHECK(read(R"([{"id": 1}])")[0].experience->kernel_type.empty());
  CHECK(one(R"(, "chip": "RTX 3090")").gpu == "RTX 3090");
  CHECK(one(R"(, "chip": "unknown")").arch.empty());
}

TEST_CASE("experiences: speed-ups against their latencies") {
  CHECK_FALSE(one(latencies + "1.5}, \"speedup\": 1.33").speedup);
  auto list = read(row(latencies + "1.5}, \"speedup\": 1.36"));
  CHECK(remarks_with(list, "speedup 1.36 does not follow from the latencies (1.333)") == 1);
  CHECK_FALSE(list[0].experience->speedup);
  Experience wild =
      one(latencies + "1.5}, \"speedup\": 3");  // kept, and reported by the check that all records pass
  CHECK(wild.speedup == 3);
  auto warnings = prepare(wild, "imported").warnings;
  CHECK(std::any_of(warnings.begin(), warnings.end(),
                    [](const std::string& w) { return has(w, "does not follow"); }));
}

TEST_CASE("experiences: what is the same experiment, and what is not") {
  auto second = [](const std::string& more) {
    std::string first =
        R"({"id": 1, "kernel": "softmax", "chip": "sm_86", "optimization": "a{x=1}")" + latencies + "1.5}}";
    std::string other = R"({"id": 2, "kernel": "Softmax", "chip": "sm_86")" + more + "}";
    return read("[" + first + "," + other + "]").at(1).fault;
  };
  CHECK(second(latencies + "1.5}") == "same experiment as id 1");
  CHECK(second(R"(, "optimization": "A")" + latencies + "1.5}") == "same experiment as id 1");
  CHECK(second(R"(, "optimization": "b")" + latencies + "1.5}").empty());
  CHECK(second(latencies + "1.6}").empty());
  CHECK(second("").empty());
  auto unnamed = read("[{\"kernel\": \"k\", \"hypothesis\": \"p\"" + latencies +
                      "2.0}}, {\"kernel\": \"k\", \"hypothesis\": \"q\"" + latencies + "2.0}}]");
  CHECK(unnamed[1].fault.empty());
}

TEST_CASE("experiences: unknown keys stay, also under names that mean something else here") {
  Experience e = one(
      R"(, "reviewer": {"name": "x"}, "strategy": "other", "metrics_after": {"l2_hit": 5}, "iteration": "late")");
  CHECK(e.strategy.empty());
  CHECK(e.extra == decltype(e.extra){{"experiences.iteration", "\"late\""},
                                     {"reviewer", "{\"name\":\"x\"}"},
                                     {"experiences.strategy", "\"other\""},
                                     {"metrics_after.l2_hit", "5"}});
  prepare(e, "imported");
  CHECK(parse_experience(to_json(e)) == e);
}

TEST_CASE("experiences: changes that name several things, or settings twice") {
  auto list = read(row(R"(, "optimization": "tile{m=64,m=32} + unroll{by=4, (1,2)}")"));
  CHECK(list[0].experience->strategy == "tile + unroll");
  CHECK(list[0].experience->params == Params{{"m", 64.0}, {"by", 4.0}, {"(1,2)", true}});
  CHECK(remarks_with(list, "names more than one change") == 1);
  CHECK(remarks_with(list, "setting 'm=32' left out") == 1);
  CHECK(one(R"(, "optimization": "tile{m=64")").params == Params{{"m", 64.0}});
}

TEST_CASE("experiences: an id used twice is remarked, the rows are kept") {
  auto list = read(R"([{"id": 1, "kernel": "softmax"}, {"id": 1, "kernel": "gemm"}])");
  CHECK(list[1].experience);
  CHECK(remarks_with(list, "id 1 is used by an earlier record too") == 1);
}
