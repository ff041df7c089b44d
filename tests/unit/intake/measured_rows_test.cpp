#include "intake/measured_rows.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "base/file.h"
#include "intake/cutlass.h"
#include "intake/helion.h"
#include "intake/kernel_tuner_t4.h"
#include "intake/triton.h"
#include "scratch.h"
#include "unit/intake/read_all.h"

using namespace explog;
using namespace explog::test;

namespace {

size_t count(const std::vector<Parsed>& list, const std::string& strategy) {
  return static_cast<size_t>(std::count_if(list.begin(), list.end(), [&](const Parsed& parsed) {
    return parsed.experience && parsed.experience->strategy == strategy;
  }));
}

size_t count_cause(const std::vector<Parsed>& list, const std::string& cause) {
  return static_cast<size_t>(std::count_if(list.begin(), list.end(), [&](const Parsed& parsed) {
    return parsed.experience && parsed.experience->cause == cause;
  }));
}

const std::string helion_header =
    "run_id,timestamp_s,config_id,generation,status,perf_ms,compile_time_s,config\n";

}  // namespace

TEST_CASE("triton cache: each change of one setting, and what did not run, by the kernel's name") {
  auto list = drain(intake::triton_cache(sample("layer_norm_kernel.autotune.json"), nullptr));
  const Experience& e = *list[0].experience;
  CHECK(e.kernel == "layer_norm_kernel");
  CHECK(e.kernel_type == "layernorm");
  CHECK(e.backend == "triton");
  CHECK(e.dtype == "f16");
  CHECK(e.shape == Facts{{"d0", 4096}, {"d1", 512}});
  CHECK(e.condition == "time=ms stat=median cache=cold");
  CHECK(remarks_with(list, "give --gpu or --arch") == 1);
  CHECK(count(list, "num_warps:up") == 16);  // 8 pairs of block and stages that ran, from 2 and from 4
  CHECK(count(list, "num_warps:down") == 16);
  CHECK(count(list, "block_m:up") ==
        18);  // 12 that ran, and 6 into those that did not, at 4 stages 3 of them
  CHECK(count_cause(list, "launch_error") > 0);
}

TEST_CASE("triton cache: times without quantiles say so; what is no cache is refused") {
  auto list = read_all(intake::triton_cache, R"({"key": [], "configs_timings": [
    [{"kwargs": {"B": 32}, "num_warps": 4}, 2.0], [{"kwargs": {"B": 64}, "num_warps": 4}, 1.0]]})");
  REQUIRE(list.size() == 2);
  CHECK(list[0].experience->condition == "time=ms stat=unknown cache=cold");
  CHECK(list[0].experience->speedup.value_or(0) == 0);  // follows from the latencies
  CHECK(*list[0].experience->latency_before_ms == 2);
  CHECK(has(error_of([] { read_all(intake::triton_cache, R"({"key": 1})"); }), "not a cache file"));
  CHECK(has(error_of([] { read_all(intake::triton_cache, R"({"configs_timings": [3]})"); }),
            "expected a configuration"));
}

TEST_CASE("triton cache: every setting of a Config counts, whatever its release calls it") {
  auto config = [](const char* more, const char* ms) {
    return R"([{"kwargs": {"B": 32}, "num_warps": 4, "maxnreg": null, "ir_override": null, "pre_hook": null)" +
           std::string(more) + "}, " + ms + "]";
  };
  auto list = read_all(intake::triton_cache,
                       R"({"key": [], "configs_timings": [)" +
                           config(R"(, "num_consumer_groups": 1, "pingpongAutoWS": false)", "2.0") + "," +
                           config(R"(, "num_consumer_groups": 2, "pingpongAutoWS": false)", "1.0") + "," +
                           config(R"(, "num_consumer_groups": 2, "pingpongAutoWS": true)", "1.5") + "]}");
  CHECK(list.size() == 4);
  CHECK(count(list, "num_consumer_groups:up") == 1);
  CHECK(count(list, "pingpongautows:on") == 1);
  CHECK(remarks_with(list, "repeat an earlier") == 0);
}

TEST_CASE("triton log: a line is a group of its own; a faulty or later one is refused alone") {
  auto list = drain(intake::triton_log(sample("sample_triton_log.jsonl"), nullptr));
  CHECK(list.size() == 12);  // two sizes, three steps up and three down each
  CHECK(list[0].experience->gpu == "NVIDIA H200");
  CHECK(list[0].experience->arch == "sm_90");
  CHECK(list[0].experience->kernel_type == "softmax");
  CHECK(list[6].experience->shape == Facts{{"d0", 4096}});
  auto faulty = read_all(intake::triton_log, "{\"format\":2}\nno\n");
  REQUIRE(faulty.size() == 2);
  CHECK(has(faulty[0].fault, "2"));
  CHECK(faulty[1].where == "stdin:2");
}

TEST_CASE("triton log: a line beyond the reader's limit is refused by its number, not cut, and alone") {
  const std::string good =
      R"({"format":1,"fn":"k","key":[],"timings":[[{"kwargs":{"B":1}},[1]],[{"kwargs":{"B":2}},[2]]]})";
  std::string longer = good;
  longer.insert(longer.size() - 2, std::string(300 << 10, ' '));
  auto list = read_all(intake::triton_log, good + "\n" + longer + "\n" + good + "\n");
  REQUIRE(list.size() == 5);
  CHECK(list[2].where == "stdin:2");
  CHECK(has(list[2].fault, "longer than 256 KiB"));
  CHECK(list[3].where.starts_with("stdin:3:"));
}

TEST_CASE("helion: lists are a setting an element, errors are failures, the sidecar names the kernel") {
  auto list = drain(intake::helion(sample("sample_helion.csv"), nullptr));
  const Experience& e = *list[0].experience;
  CHECK(e.kernel == "matmul");
  CHECK(e.kernel_type == "gemm");
  CHECK(e.arch == "sm_90");
  CHECK(e.dtype == "bf16");
  CHECK(count(list, "block_sizes_0:up") == 4);
  CHECK(count(list, "num_warps:down") == 3);  // from 8 at 128 with descriptors nothing starts: it failed
  CHECK(count_cause(list, "launch_error") == 3);
  std::set<std::string> moves;
  for (const Parsed& parsed : list) moves.insert(parsed.experience->strategy);
  CHECK(moves.count("indexing:topointer") == 1);
}

TEST_CASE("helion: rows that say nothing are counted, other columns are refused") {
  auto list = read_all(intake::helion, helion_header +
                                           "r,1,a,0,ok,2.0,1,\"Config(num_warps=4, t=(1, 2))\"\n"
                                           "r,1,b,0,ok,1.0,1,\"Config(num_warps=8, t=(1, 2))\"\n"
                                           "r,1,c,0,ok,,1,\"Config(num_warps=2)\"\nr,2\n");
  CHECK(list.size() == 2);
  CHECK(remarks_with(list, "2 rows left out; the first: line") == 1);
  CHECK(has(error_of([] { read_all(intake::helion, "a,b\n1,2\n"); }), "expected the columns"));
}

TEST_CASE("helion: a log of a release before run_id is one run, of the file's name") {
  auto list = read_all(intake::helion,
                       "timestamp_s,config_index,generation,status,perf_ms,compile_time_s,config\n"
                       "0.53,1,0,started,,0.19,\"Config(num_warps=4, reduction_loops=[None])\"\n"
                       "4.54,2,0,ok,0.335584,0.19,\"Config(num_warps=4, reduction_loops=[None])\"\n"
                       "4.69,4,0,ok,0.253056,0.13,\"Config(num_warps=8, reduction_loops=[None])\"\n"
                       "5.02,6,0,error,,,\"Config(num_warps=16, reduction_loops=[None])\"\n"
                       "r,5.02,6,0,ok,1.0,,\"Config(num_warps=2)\"\n");
  CHECK(list.size() == 3);
  CHECK(*list[0].experience->latency_before_ms == doctest::Approx(0.335584));
  CHECK(count_cause(list, "launch_error") == 1);
  CHECK(remarks_with(list, "1 rows left out; the first: line 6: 7 columns expected") == 1);
  CHECK(
      intake::looks_like_helion("timestamp_s,config_index,generation,status,perf_ms,compile_time_s,config"));
}

TEST_CASE("helion: None, True and False are three values beside one another; None beside sizes is off") {
  auto row = [](const char* flatten, const char* loops, const char* ms) {
    return "r,1,a,0,ok," + std::string(ms) + ",1,\"Config(num_warps=4, range_flattens=[" + flatten +
           "], reduction_loops=[" + loops + "], static=True, unset=None)\"\n";
  };
  auto list = read_all(intake::helion, helion_header + row("None", "None", "4.0") +
                                           row("False", "None", "3.0") + row("True", "None", "2.0") +
                                           row("True", "16", "1.0") + row("True", "32", "0.5"));
  CHECK(remarks_with(list, "repeat an earlier") == 0);
  CHECK(list.size() == 8);
  CHECK(count(list, "range_flattens_0:tofalse") == 2);
  CHECK(count(list, "range_flattens_0:tonone") == 2);
  CHECK(count(list, "range_flattens_0:totrue") == 2);
  CHECK(count(list, "reduction_loops_0:up") == 1);
  CHECK(*list[0].experience->latency_before_ms == 4);
  CHECK(*list[0].experience->latency_after_ms == 3);
}

TEST_CASE("helion: the backend is the one that the sidecar names") {
  Scratch scratch;
  auto backend = [&](const std::string& settings) {
    write_file(scratch / "run.meta.jsonl",
               R"({"run_id": "r", "kernel_name": "add", "settings": )" + settings + "}\n");
    write_file(scratch / "run.csv", helion_header +
                                        "r,1,a,0,ok,2.0,1,\"Config(num_warps=4)\"\n"
                                        "r,1,b,0,ok,1.0,1,\"Config(num_warps=8)\"\n");
    Parsed first = drain(intake::helion(scratch / "run.csv", nullptr)).at(0);
    CHECK(first.usual_backend == "triton");
    return first.experience->backend;
  };
  CHECK(backend("null").empty());
  CHECK(backend("{}").empty());
  CHECK(backend(R"({"backend": "triton"})") == "triton");
  CHECK(backend(R"({"backend": "tileir"})") == "triton");
  CHECK(backend(R"({"backend": "cute"})") == "cutedsl");
  CHECK(backend(R"({"backend": "pallas"})") == "other");
}

TEST_CASE("cutlass: tables are found among other lines; layouts are problems, schedules are settings") {
  auto list = drain(intake::cutlass(sample("sample_cutlass.csv"), nullptr));
  const Experience& e = *list[0].experience;
  CHECK(e.kernel_type == "gemm");
  CHECK(e.dtype == "f16");
  CHECK(e.condition == "time=ms stat=mean cache=warm");
  CHECK(e.shape[0] == std::pair<std::string, double>("m", 4096));
  CHECK(count(list, "schedule:towarpspecialized_pingpong_epi_tma") > 0);
  CHECK(count_cause(list, "wrong_values") > 0);
  CHECK(remarks_with(list, "2 rows left out") == 1);
  for (const Parsed& parsed : list) {
    double ratio =
        parsed.experience->latency_before_ms.value_or(1) / parsed.experience->latency_after_ms.value_or(1);
    CHECK(ratio < 2);
  }
  CHECK(has(error_of([] { read_all(intake::cutlass, "no table\n"); }), "no table of cutlass_profiler"));
}

TEST_CASE("cutlass: rows of another arithmetic are never compared, other instructions of the same are") {
  auto table = [](const std::vector<std::string>& rows) {
    std::string text =
        "Problem,Provider,OperationKind,Operation,Disposition,Status,m,A,op_class,accum,stages,inst_k,"
        "min_cc,Runtime\n";
    for (const std::string& row : rows) text += "1,CUTLASS,gemm,cutlass" + row + "\n";
    return read_all(intake::cutlass, text);
  };
  const std::string fp8 =
      "3x_sm90_tensorop_gemm_e4m3_e4m3_f32_f16_f16_128x128x128_1x1x1_0_tnn_align16_warpspecialized";
  // f32 that is multiplied as it is, as tf32, as f16 and as bf16, and fp8 whose sums are rounded on the way.
  auto none = table(
      {"_simt_sgemm_256x128_8x5_nn_align1,passed,success,64,f32:row,simt,f32,3,8,50,64.0",
       "_tensorop_s1688tf32gemm_256x128_16x3_nn_align4,passed,success,64,f32:row,tensorop,f32,3,8,80,27.5",
       "_tensorop_s1688f16gemm_256x128_16x3_nn_align4,passed,success,64,f32:row,tensorop,f32,3,8,75,26.0",
       "_tensorop_s1688bf16gemm_256x128_16x3_nn_align4,passed,success,64,f32:row,tensorop,f32,3,8,80,26.5",
       fp8 + ",passed,success,64,f32:row,tensorop,f32,3,8,90,2.0",
       fp8 + "_fp8_fastaccum,passed,success,64,f32:row,tensorop,f32,3,8,90,1.0"});
  REQUIRE(none.size() == 1);
  CHECK(has(none[0].fault, "nothing to compare"));
  CHECK(remarks_with(none, "repeat an earlier") == 0);
  auto same = table(
      {"_tensorop_s1688tf32gemm_256x128_16x3_nn_align4,passed,success,64,f32:row,tensorop,f32,3,8,80,27.5",
       "_tensorop_s16816tf32gemm_256x128_16x3_nn_align4,passed,success,64,f32:row,tensorop,f32,3,16,80,20"});
  REQUIRE(same.size() == 2);
  CHECK(same[0].experience->strategy == "inst_k:up");
  CHECK(same[0].experience->tags[0] == "arithmetic=cutlass_tensorop_stf32gemm");
}

TEST_CASE("cutlass: iterators of a convolution are a setting, no arithmetic") {
  auto list = read_all(
      intake::cutlass,
      "Problem,Provider,OperationKind,Operation,Disposition,Status,n,iterator_algorithm,Runtime\n"
      "1,CUTLASS,conv2d,cutlass_tensorop_i8816fprop_optimized_s8_64x64_64x2_nhwc_align16,passed,success,8,"
      "optimized,1.0\n"
      "1,CUTLASS,conv2d,cutlass_tensorop_i8816fprop_analytic_s8_64x64_64x2_nhwc_align16,passed,success,8,"
      "analytic,2.0\n");
  REQUIRE(list.size() == 2);
  CHECK(list[0].experience->strategy == "iterator_algorithm:toanalytic");
}

TEST_CASE("cutlass: element types as the profiler names them") {
  for (auto [operand, type] : {std::pair("s8:nhwc", "i8"),
                               {"u8:row", "u8"},
                               {"s32:row", "i32"},
                               {"fe4m3:column", "f8"},
                               {"fe5m2:row", "f8"},
                               {"fe2m1:row", "f4"},
                               {"bf16:row", "bf16"},
                               {"b1:row", "bool"},
                               {"cf32:row", ""}}) {
    auto row = [&operand = operand](const char* stages, const char* ms) {
      return "1,CUTLASS,gemm,cutlass_gemm_align8,passed,success,64," + std::string(operand) + "," + stages +
             "," + ms + "\n";
    };
    std::string table = "Problem,Provider,OperationKind,Operation,Disposition,Status,m,A,stages,Runtime\n" +
                        row("3", "1.0") + row("6", "2.0");
    CAPTURE(table);
    auto list = read_all(intake::cutlass, table);
    REQUIRE(list.size() == 2);
    CHECK(list[0].experience->dtype == type);
  }
}

TEST_CASE("cutlass: what the profiler printed is known before its table comes") {
  CHECK(
      intake::looks_like_cutlass("\n\n=============================\n  Problem ID: 1\n\n        Provider: "
                                 "CUTLASS\n   OperationKind: gemm\n"));
  CHECK_FALSE(intake::looks_like_cutlass("Provider: CUTLASS\n"));
}

TEST_CASE("t4: the unit is the file's, constraints teach nothing, a build that failed does") {
  auto list = drain(intake::kernel_tuner_t4(sample("sample_t4.json"), nullptr));
  CHECK(list.size() == 12);  // 5 that ran: 5 pairs both ways, and 2 ways into the one that did not build
  CHECK(count_cause(list, "compile_error") == 2);
  CHECK(*list[0].experience->latency_before_ms == doctest::Approx(0.03225));
  CHECK(remarks_with(list, "1 results left out") == 1);
  CHECK(has(error_of([] { read_all(intake::kernel_tuner_t4, R"({"schema_version":"2.0.0","results":[]})"); }),
            "version 2.0.0"));
}

namespace {

// T4 results of one parameter "p", from 1 on in doublings, each with these members.
std::string t4_of(const std::vector<std::string>& results, const std::string& metadata = "{}") {
  std::string text = R"({"schema_version": "1.0.0", "metadata": )" + metadata + R"(, "results": [)";
  int p = 1;
  for (const std::string& result : results) {
    text += (p > 1 ? "," : "") + (R"({"configuration": {"p": )" + std::to_string(p)) + "}, " + result + "}";
    p *= 2;
  }
  return text + "]}";
}

std::string measured(const std::string& objective, const std::string& measurements) {
  return R"("invalidity": "correct", "objectives": [")" + objective + R"("], "measurements": [)" +
         measurements + "]";
}

}  // namespace

TEST_CASE("t4: an objective that is no time is none; the time measured beside it is taken") {
  auto rate = [](const char* ms, const char* rate) {
    return measured("GFLOP/s", R"({"name": "GFLOP/s", "value": )" + std::string(rate) +
                                   R"(, "unit": ""}, {"name": "time", "value": )" + ms + R"(, "unit": ""})");
  };
  auto list = read_all(intake::kernel_tuner_t4, t4_of({rate("4", "100"), rate("2", "200")}));
  REQUIRE(list.size() == 2);
  CHECK(*list[0].experience->latency_before_ms == 4);
  CHECK(*list[0].experience->latency_after_ms == 2);
  CHECK(list[0].experience->outcome == "success");
  for (const char* score :
       {R"({"name": "score", "value": 0.5, "unit": ""})", R"({"name": "energy", "value": 0.5, "unit": "J"})",
        R"({"name": "compile_time", "value": 0.5, "unit": "ms"})",
        R"({"name": "time", "value": 0.5, "unit": "GFLOP/s"})"}) {
    std::string none = error_of([&] {
      read_all(intake::kernel_tuner_t4, t4_of({measured("score", score), measured("score", score)}));
    });
    CAPTURE(score);
    CHECK(has(none, "none of 2 results has a time above 0; measured is '"));
  }
  std::string score = measured("score", R"({"name": "score", "value": 0.5, "unit": ""})");
  auto mixed = read_all(intake::kernel_tuner_t4, t4_of({rate("4", "1"), rate("2", "1"), score, score}));
  CHECK(mixed.size() == 2);
  CHECK(remarks_with(mixed, "2 results left out: without a time above 0; measured of the first is 'score'") ==
        1);
}

TEST_CASE("t4: units of a measurement go before the file's; backend and shape are read where they are") {
  auto time = [](const char* value, const char* unit) {
    return measured(
        "runtime", R"({"name": "runtime", "value": )" + std::string(value) + R"(, "unit": ")" + unit + "\"}");
  };
  auto list = read_all(intake::kernel_tuner_t4,
                       t4_of({time("4000", ""), time("2", "ms")},
                             R"({"timeunit": "microseconds", "device_name": "NVIDIA A100-PCIE-40GB",
                                 "problem_size": {"M": 64}, "dtype": "f16"})"));
  REQUIRE(list.size() == 2);
  CHECK(*list[0].experience->latency_before_ms == 4);
  CHECK(*list[0].experience->latency_after_ms == 2);
  CHECK(list[0].usual_backend == "cuda");
  CHECK(list[0].experience->arch == "sm_80");
  CHECK(list[0].experience->shape == Facts{{"M", 64}});
  CHECK(list[0].experience->dtype == "f16");
}

TEST_CASE("units: words for time are known, rates are none") {
  CHECK(intake::milliseconds_in("us") == 1e-3);
  CHECK(intake::milliseconds_in("Nanoseconds") == 1e-6);
  CHECK_FALSE(intake::milliseconds_in("GFLOP/s"));
}
